// Bodies whose vertices move: they glide from frame to frame as poses do. Knows nothing of three.js.

// Writes numbers between two lists: share 1 is the newer one.
export function glide(to, from, goal, share) {
  if (from === goal || share === 1) to.set(goal);
  else for (let i = 0; i < to.length; ++i) to[i] = from[i] + share * (goal[i] - from[i]);
}

// The movers of a look with those they come from: the same surface in the look before, or, where there is none, themselves.
export function pairs(last, now) {
  const before = new Map((last.movers ?? []).map((mover) => [mover.surface, mover]));
  return (now.movers ?? []).map((to) => ({ to, from: before.get(to.surface) ?? to }));
}
