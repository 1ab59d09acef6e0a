/** A piece of JavaScript: the body of an async function that is given `input`. */
export interface Script {
  code: string;
  /** Anything that can be written as JSON. */
  input: unknown;
  timeout_ms: number;
  signal?: AbortSignal;
}

export type ScriptEnd =
  /** It returned; `value` has been through JSON. */
  | 'returned'
  /** It threw, or it is no JavaScript. */
  | 'failed'
  | 'timeout'
  | 'memory'
  /** What it returned can't be written as JSON, or is too large or too deep. */
  | 'bad_result'
  /** Whoever asked did not wait. */
  | 'stopped';

export interface ScriptResult {
  end: ScriptEnd;
  value: unknown;
  /** Why there is no value, in words for whoever wrote the code. */
  message: string;
  /** What it wrote with `console`. */
  logs: string[];
}

/** Runs code that somebody wrote into a workflow. It sees its input and nothing else: no files, no network, no clock to wait by. */
export interface ScriptRunner {
  run(script: Script): Promise<ScriptResult>;
}
