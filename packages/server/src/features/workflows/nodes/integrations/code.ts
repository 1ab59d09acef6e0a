import { codeExecutionNodeType } from '@atrium/contract/workflows/node-types/integrations/code.ts';
import type { ScriptRunner } from '../../../../drivers/scripts/driver.ts';
import type { SandboxCommands } from '../../../sandboxes/ports.ts';
import type { Sandboxes } from '../../../sandboxes/service.ts';
import { requirePermission, rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import { defineNode, type NodeContext } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

export interface CodeNeeds {
  scripts: ScriptRunner;
  sandboxes: Pick<Sandboxes, 'create' | 'remove'>;
  commands: Pick<SandboxCommands, 'run'>;
}

const failed = (code: string, message: string) => new NodeFailure(code, message, { passing: false });

async function runScript({ scripts }: CodeNeeds, context: NodeContext, code: string, input: unknown, seconds: number) {
  const { end, value, message, logs } = await scripts.run({
    code,
    input,
    timeout_ms: seconds * 1000,
    signal: context.signal,
  });
  for (const line of logs) context.log(line);
  if (end === 'stopped') context.signal.throwIfAborted();
  if (end !== 'returned') throw failed(`code_${end}`, message);
  return value;
}

/** Runs Python or bash in a sandbox that is removed after the step. The input is JSON on the standard input. */
async function runCommand(
  { sandboxes, commands }: CodeNeeds,
  context: NodeContext,
  language: 'python' | 'bash',
  command: string,
  input: unknown,
  timeout: number,
) {
  const { scope, signal } = context;
  requirePermission(scope, 'sandboxes_run');
  const { id } = await rethrowAsNodeFailure(
    sandboxes.create(
      scope,
      { label: 'workflow step', persistent: false, network: false },
      { run_id: context.run_id },
    ),
  );
  try {
    const request = { command, language, timeout, cwd: '', env: {}, stdin: JSON.stringify(input), stream: false };
    const { exit_code, reason, stdout, stderr } = await rethrowAsNodeFailure(commands.run(scope, id, request, signal));
    signal.throwIfAborted();
    if (stderr) context.log(stderr.slice(0, 10_000));
    if (reason !== 'exit') throw failed(`code_${reason}`, `The code was ended: ${reason}`);
    if (exit_code !== 0) throw failed('code_failed', `The code ended with ${exit_code}: ${stderr.slice(-1000)}`);
    return valueIn(stdout);
  } finally {
    await sandboxes.remove(scope, id);
  }
}

/** The printed value: parsed if it is JSON, else the text. */
function valueIn(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout.replace(/\n$/, '');
  }
}

export const makeCodeNode = (needs: CodeNeeds) =>
  defineNode(codeExecutionNodeType, async (context, { variables }, { language, code, timeout }) => ({
    output:
      language === 'javascript'
        ? await runScript(needs, context, code, variables, timeout)
        : await runCommand(needs, context, language, code, variables, timeout),
  }));
