import { operation } from '../operation.ts';
import { budgetReached, conflicts, noSuch, refused } from '../operation-errors.ts';
import { runParams } from '../runs/schema.ts';
import { tracesRoutes } from './routes.ts';
import { modelCallAnswer, modelCallParams, modelCallRetry, trace, traceQuery } from './schema.ts';

const tag = 'Runs';

/** The handler checks the permission, which depends on the kind of the run. */
const permission = 'any';

export const getRunTrace = operation({
  id: 'runs.getTrace',
  route: tracesRoutes['runs.getTrace'],
  summary:
    'Get the trace of a run: its models, tools, guardrails, nodes and waits with times, tokens, cost and content',
  description:
    'Returns every model call, tool call, guardrail check, node and wait of a run in the order of their start, also while it is running, and those of the runs that it started. Use it to find out why a run was slow, expensive or wrong. A run of a conversation needs `conversations_read`, a run of a workflow `flows_run`; to others it does not exist. Of runs below it that the caller may not read only the run itself is shown. Prompts are those that were sent: private values are placeholders and secrets are handles. Content is returned up to `max_bytes`, the first steps first; steps that lack some are `truncated`. Prompts are kept for 14 days by default, and appear a moment after the answer; inputs and outputs are there as long as the conversation.',
  tag,
  permission,
  params: runParams,
  query: traceQuery,
  errors: [noSuch('run')],
  answer: trace,
});

export const retryModelCall = operation({
  id: 'runs.retryModelCall',
  route: tracesRoutes['runs.retryModelCall'],
  summary: 'Make one model call of a trace again, with a changed prompt',
  description:
    'Sends the prompt of a model step again, with what the body changes, and returns the answer. Nothing is stored in the conversation and no tool is run; the call counts for budgets and as cost of the agent. A run of a conversation needs `agents_edit` and `conversations_read`, a run of a workflow `flows_edit` and `flows_run`.',
  tag,
  permission,
  audit: { none: 'it changes nothing' },
  params: modelCallParams,
  body: modelCallRetry,
  example: { system: 'Answer in one sentence.', temperature: 0 },
  errors: [
    noSuch('run or model call'),
    refused('forbidden', 'The caller lacks a permission that the kind of the run needs.'),
    conflicts('prompt_not_kept', 'The prompt of the call is not kept, or no longer.'),
    conflicts('model_not_configured', 'The model is not configured.'),
    budgetReached,
    {
      status: 503,
      code: 'provider_unavailable',
      description: 'The provider can not be reached now, or answered with an error.',
    },
  ],
  answer: modelCallAnswer,
});

export const tracesOperations = [getRunTrace, retryModelCall];
