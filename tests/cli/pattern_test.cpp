// sunder pattern: make, inspect, preview.
#include "cli/command_line.h"

namespace sunder {
namespace {

class PatternCommand : public CommandLine {
protected:
    void SetUp() override { folder_.write("cracks.svg", "<svg viewBox='0 0 10 10'><path d='M 5 -1 V 11 M -1 4 H 11'/></svg>"); }
};

TEST_F(PatternCommand, InspectsDrawnAndGeneratedOnes) {
    const Ran drawn = sunder("pattern inspect cracks.svg --set unit=0.1");
    EXPECT_EQ(drawn.status, 0) << drawn.errors;
    EXPECT_NE(drawn.output.find("cracks.svg: 5 regions"), std::string::npos) << drawn.output;
    EXPECT_NE(drawn.output.find("stays whole"), std::string::npos) << drawn.output;
    const Ran made = sunder("pattern inspect voronoi --set pieces=12 --set nodes=33");
    EXPECT_EQ(made.status, 0) << made.errors;
    EXPECT_NE(made.output.find("33 x 33 x 33 samples"), std::string::npos) << made.output;
}

TEST_F(PatternCommand, SavesWhatItReadsAgain) {
    EXPECT_EQ(sunder("pattern make cracks.svg --set unit=0.1 --out cracks.pattern").status, 0);
    const Ran saved = sunder("pattern inspect cracks.pattern");
    EXPECT_EQ(saved.status, 0) << saved.errors;
    EXPECT_NE(saved.output.find("5 regions"), std::string::npos) << saved.output;
}

TEST_F(PatternCommand, DrawsAPicture) {
    const Ran ran = sunder("pattern preview cracks.svg --set nodes=33 --out cracks.png --picture-width 96");
    EXPECT_EQ(ran.status, 0) << ran.errors;
    EXPECT_EQ(contentsOf(folder_ / "cracks.png").substr(1, 3), "PNG");
}

TEST_F(PatternCommand, NamesWhatIsWrong) {
    const Ran key = sunder("pattern inspect cracks.svg --set unti=1");
    EXPECT_EQ(key.status, 1);
    EXPECT_NE(key.errors.find("did you mean \"unit\"?"), std::string::npos) << key.errors;
    const Ran file = sunder("pattern inspect none.svg");
    EXPECT_EQ(file.status, 1);
    EXPECT_NE(file.errors.find("none.svg"), std::string::npos) << file.errors;
    EXPECT_NE(sunder("pattern make cracks.svg").status, 0);
}

}  // namespace
}  // namespace sunder
