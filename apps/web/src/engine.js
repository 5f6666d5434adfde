// The page's side of the worker: engine.call("load", text) is a promise of the result.

class Engine {
  #worker;
  #waiting = new Map();
  #next = 0;

  constructor(url) {
    this.#worker = new Worker(url, { type: "module" });
    this.#worker.onmessage = ({ data: { id, result, error } }) => {
      const { resolve, reject } = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) resolve(result);
      else reject(new Error(error));
    };
    this.#worker.onerror = (event) => {
      const error = new Error(`the engine did not start: ${event.message ?? "its files could not be loaded"}`);
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
  }

  call(name, ...values) {
    return new Promise((resolve, reject) => {
      const id = this.#next++;
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, name, values });
    });
  }
}

// Made here, so that it loads while the page's other scripts are still being read. ?threads=N asks for a number of threads, as
// --threads does; where the page is not isolated there is one.
const threads = new URL(location.href).searchParams.get("threads");
export const engine = new Engine(new URL(`./worker.js${threads ? `?threads=${Number(threads)}` : ""}`, import.meta.url));
