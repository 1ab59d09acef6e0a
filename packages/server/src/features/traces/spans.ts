import { createHash } from 'node:crypto';
import type { Trace, TraceStep } from '@atrium/contract/traces/schema.ts';
import type { Span } from '../../drivers/traces/driver.ts';

const spanId = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);
/** The span says only that the step failed; the trace has the details, for callers with the permission. */
const errorType = { 'error.type': '_OTHER' };
const operations: Record<string, string> = { embedding: 'embeddings', rerank: 'rerank' };

/** A step in the terms of OpenTelemetry's GenAI conventions, without texts of users or models. */
function ofStep(step: TraceStep): Pick<Span, 'name' | 'kind' | 'attributes'> {
  if (step.kind === 'tool')
    return {
      name: `execute_tool ${step.name}`,
      kind: 'internal',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': step.name,
        'gen_ai.tool.type': 'function',
        'gen_ai.tool.call.id': step.call_id,
      },
    };
  if (step.kind === 'wait') return { name: `wait ${step.for}`, kind: 'internal', attributes: {} };
  if (step.kind === 'node')
    return { name: `node ${step.type ?? ''}`, kind: 'internal', attributes: { 'atrium.node.id': step.node_id } };
  if (step.kind === 'run')
    return { name: 'invoke_agent', kind: 'internal', attributes: { 'atrium.run.status': step.status } };
  if (step.kind === 'guardrail')
    return {
      name: `guardrail ${step.stage}`,
      kind: 'internal',
      attributes: { 'atrium.guardrail.stage': step.stage, 'atrium.guardrail.action': step.action ?? 'none' },
    };
  const [provider = '', ...name] = step.model.split('/');
  const operation = operations[step.purpose] ?? 'chat';
  return {
    name: `${operation} ${name.join('/')}`,
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': provider,
      'gen_ai.request.model': name.join('/'),
      'gen_ai.usage.input_tokens': step.input_tokens,
      'gen_ai.usage.output_tokens': step.output_tokens,
      'gen_ai.usage.cache_read.input_tokens': step.cached_tokens,
      'gen_ai.usage.reasoning.output_tokens': step.reasoning_tokens,
      'atrium.purpose': step.purpose,
      ...(step.ttft_ms !== null && {
        'gen_ai.request.stream': true,
        'gen_ai.response.time_to_first_chunk': { measure: step.ttft_ms / 1000 },
      }),
      ...(step.cost !== null && { 'atrium.cost': { measure: step.cost } }),
    },
  };
}

/** A run and its steps as spans. The same run gives the same ids, however often it is sent. */
export function spansOf(trace: Trace, workspace_id: string): Span[] {
  const trace_id = trace.run_id.replaceAll('-', '');
  const root = spanId(trace.run_id);
  const started_at = Date.parse(trace.started_at);
  const ended_at = Math.max(
    trace.finished_at ? Date.parse(trace.finished_at) : started_at,
    ...trace.steps.map((step) => Date.parse(step.started_at) + step.ms),
  );
  const spanOf = new Map(
    trace.steps.map((step, at) => [step.id, spanId(`${trace.run_id} ${step.kind} ${step.id} ${at}`)]),
  );
  return [
    {
      ...{ trace_id, span_id: root, parent_id: null, kind: 'internal', started_at, ended_at },
      name: 'invoke_agent',
      attributes: {
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': 'atrium',
        ...(trace.conversation_id && { 'gen_ai.conversation.id': trace.conversation_id }),
        ...(trace.agent_id && { 'gen_ai.agent.id': trace.agent_id }),
        ...(trace.version_id && { 'gen_ai.agent.version': trace.version_id }),
        'gen_ai.usage.input_tokens': trace.input_tokens,
        'gen_ai.usage.output_tokens': trace.output_tokens,
        'gen_ai.usage.cache_read.input_tokens': trace.cached_tokens,
        ...(trace.cost !== null && { 'atrium.cost': { measure: trace.cost } }),
        'atrium.workspace.id': workspace_id,
        'atrium.run.status': trace.status,
        ...(trace.status === 'failed' && errorType),
      },
      error: trace.status === 'failed' ? 'failed' : null,
    },
    ...trace.steps.map((step): Span => {
      const { attributes, ...named } = ofStep(step);
      return {
        ...{ trace_id, parent_id: (step.parent_id && spanOf.get(step.parent_id)) || root, ...named },
        attributes: { ...attributes, ...(step.error && errorType) },
        span_id: spanOf.get(step.id) ?? root,
        started_at: Date.parse(step.started_at),
        ended_at: Date.parse(step.started_at) + step.ms,
        error: step.error ? 'failed' : null,
      };
    }),
  ];
}
