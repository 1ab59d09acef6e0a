/** A piece of JavaScript: the body of an async function with the parameter `input`. */
export interface Script {
  code: string;
  /** A JSON value. */
  input: unknown;
  timeout_ms: number;
  signal?: AbortSignal;
}

export type ScriptEnd =
  /** It returned; `value` is a JSON value. */
  | 'returned'
  /** It threw, or it is not valid JavaScript. */
  | 'failed'
  | 'timeout'
  | 'memory'
  /** The result is not JSON, or is too large or too deep. */
  | 'bad_result'
  /** The caller aborted. */
  | 'stopped';

export interface ScriptResult {
  end: ScriptEnd;
  value: unknown;
  /** Why there is no value, in words for the author of the code. */
  message: string;
  /** The lines written with `console`. */
  logs: string[];
}

/** Runs code of workflows. The code sees only its input: no files, no network, no timers. */
export interface ScriptRunner {
  run(script: Script): Promise<ScriptResult>;
}
