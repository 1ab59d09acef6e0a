// Node's test runner follows every promise with an async hook, to know which test a call of `test()` or an error belongs to.
// With it a promise takes up to twenty times as long, and its end burdens the garbage collector. What AsyncLocalStorage
// follows costs next to nothing, so the runner is given that. Read this before `node:test` is.
import asyncHooks from 'node:async_hooks';

const { AsyncLocalStorage, AsyncResource, createHook, executionAsyncId } = asyncHooks;
const current = new AsyncLocalStorage();
let begin;

class TestResource extends AsyncResource {
  constructor(type, options) {
    super(type, options);
    begin?.(this.asyncId(), type, this.triggerAsyncId(), this);
  }
  runInAsyncScope(run, self, ...given) {
    // A resource brings the context in which it was made, so the test is noted within.
    return super.runInAsyncScope(() => current.run(this.asyncId(), () => Reflect.apply(run, self, given)));
  }
}

const idle = { enable: () => idle, disable: () => idle };
Object.assign(asyncHooks, {
  AsyncResource: TestResource,
  executionAsyncId: () => current.getStore() ?? executionAsyncId(),
  createHook({ init }) {
    begin = init;
    return idle;
  },
});
// The runner takes these when it is read; nothing else gets them.
process.getBuiltinModule('node:test');
Object.assign(asyncHooks, { AsyncResource, executionAsyncId, createHook });
