/**
 * Runs one script in QuickJS, an interpreter in WebAssembly, in a process that can read only its own code. JSON goes in
 * and JSON comes out. The parent process ends it when it takes too long.
 */
import { text } from 'node:stream/consumers';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { ScriptResult } from './driver.ts';
import { depthOf, mostDepth, mostResultBytes, type ScriptRequest } from './request.ts';

const pageBytes = 65_536;
/** With more, the stack of the host would end before that of the script. */
const stackBytes = 128 * 1024;

/** The globals of a script besides the language. Logged lines are kept there and fetched at the end. */
const prelude = `
const __logs = [];
{
  const show = (value) => { try { return typeof value === 'string' ? value : JSON.stringify(value) ?? String(value); } catch { return String(value); } };
  const write = (...values) => { if (__logs.length < 100) __logs.push(values.map(show).join(' ').slice(0, 2000)); };
  globalThis.console = { log: write, info: write, warn: write, error: write, debug: write };
}`;

const { code, input, timeout_ms, memory_bytes } = JSON.parse(await text(process.stdin)) as ScriptRequest;

/** We limit the memory of the WebAssembly instance, since the interpreter's own limit does not count its buffers. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { Memory: new (size: { initial: number; maximum: number }) => never };
};
const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: Math.floor(memory_bytes / pageBytes) });
const base = variant as unknown as QuickJSSyncVariant;
const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(base, { wasmMemory }));
const runtime = quickjs.newRuntime();
runtime.setMaxStackSize(stackBytes);
runtime.setMemoryLimit(memory_bytes / 2);
const deadline = performance.now() + timeout_ms;
let late = false;
runtime.setInterruptHandler(() => {
  late ||= performance.now() > deadline;
  return late;
});
const context = runtime.newContext();

function evaluated(vm: QuickJSContext, source: string, name: string): { value?: unknown; error?: string } {
  const result = vm.evalCode(source, name);
  if (result.error) {
    const told: unknown = vm.dump(result.error);
    result.error.dispose();
    return { error: messageOf(told) };
  }
  const value: unknown = vm.dump(result.value);
  result.value.dispose();
  return { value };
}

function messageOf(told: unknown): string {
  const { name, message } = (typeof told === 'object' && told !== null ? told : {}) as Record<string, unknown>;
  if (typeof message === 'string') return typeof name === 'string' ? `${name}: ${message}` : message;
  return typeof told === 'string' ? told : 'it threw something that is no error';
}

const kinds = (error: string): ScriptResult['end'] => {
  if (late) return 'timeout';
  return /out of memory/i.test(error) ? 'memory' : 'failed';
};

function run(): Omit<ScriptResult, 'logs'> {
  const failed = (error: string) => ({ end: kinds(error), value: null, message: error });
  const json = JSON.stringify(input ?? null);
  const handle = context.newString(json);
  context.setProp(context.global, '__input', handle);
  handle.dispose();
  const prepared = evaluated(context, prelude, 'prelude.js');
  if (prepared.error !== undefined) return failed(prepared.error);
  // The result is serialized inside, so that only a string comes out, even if the script changed its globals.
  const begun = evaluated(
    context,
    `let __out; { const write = JSON.stringify, input = JSON.parse(__input); delete globalThis.__input;
(async function (input) {
${code}
})(input).then((value) => { __out = { value: write(value === undefined ? null : value) }; },
  (error) => { __out = { error: error instanceof Error ? error.name + ': ' + error.message : String(error) }; })
  .catch((error) => { __out = { bad: String(error && error.message) }; }); } 0`,
    'script.js',
  );
  if (begun.error !== undefined) return failed(begun.error);
  while (runtime.hasPendingJob() && !late) {
    const ran = runtime.executePendingJobs(100);
    if (!ran.error) continue;
    const told: unknown = ran.error.context.dump(ran.error);
    ran.error.dispose();
    return failed(messageOf(told));
  }
  if (late) return failed('it took too long');
  const { value: out, error } = evaluated(context, '__out', 'end.js');
  if (error !== undefined) return failed(error);
  const { value, error: thrown, bad } = (out ?? {}) as Record<string, unknown>;
  if (typeof thrown === 'string') return failed(thrown);
  const useless = (message: string) => ({ end: 'bad_result' as const, value: null, message });
  if (typeof bad === 'string') return useless(`what it returned can't be written as JSON: ${bad}`);
  if (typeof value !== 'string') return useless('it waits for something that never comes, or returned no JSON');
  if (value.length > mostResultBytes) return useless(`what it returned is larger than ${mostResultBytes} characters`);
  if (depthOf(value) > mostDepth) return useless(`what it returned is deeper than ${mostDepth} levels`);
  return { end: 'returned', value: JSON.parse(value), message: '' };
}

let result: Omit<ScriptResult, 'logs'>;
let logs: string[] = [];
try {
  result = run();
  const { value } = evaluated(context, '__logs.map(String)', 'logs.js');
  if (Array.isArray(value)) logs = value.filter((line): line is string => typeof line === 'string').slice(0, 100);
} catch (error) {
  // The interpreter itself failed: its memory or its stack is full.
  const message = error instanceof Error ? error.message : String(error);
  const full = /memory|RangeError|unreachable|abort/i.test(`${(error as Error)?.name} ${message}`);
  result = { end: late ? 'timeout' : full ? 'memory' : 'failed', value: null, message };
}
process.stdout.write(JSON.stringify({ ...result, logs }), () => process.exit(0));
