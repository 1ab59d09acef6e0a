interface TextColumnFormat {
  type: 'text' | 'json';
  /** The columns that name a row for the text in it. A statement that reads the text has them in its rows or its values. */
  id: readonly string[];
}

const text = (...id: string[]): TextColumnFormat => ({ type: 'text', id });
const json = (...id: string[]): TextColumnFormat => ({ type: 'json', id });

/** The columns that hold what people and models said, which `ATRIUM_ENCRYPT_AT_REST` encrypts. */
export const textColumns = {
  'conversations.name': text('id'),
  'conversations.summary': text('id'),
  'conversations.todos': json('id'),
  'messages.parts': text('id'),
  'messages.metadata': text('id'),
  'runs.input': json('id'),
  'runs.output': json('id'),
  'runs.error': json('id'),
  'run_events.data': text('run_id', 'seq'),
  'human_requests.arguments': text('id'),
  'human_requests.note': text('id'),
  'feedback.comment': text('conversation_id', 'message_id', 'actor_id'),
  'safety_violations.reason': text('id'),
  'csat_scores.reason': text('id'),
  'topics.short': text('id'),
  'topics.medium': text('id'),
  'topics.long': text('id'),
  'topics.weights': json('id'),
  'topic_words.words': json('agent_id'),
  // Not the topic, which changes when topics are merged.
  'conversation_topics.words': json('conversation_id'),
  'channel_inbox.payload': text('id'),
  'trigger_deliveries.input': json('id'),
  'webhook_deliveries.payload': text('id'),
  'workflow_runs.input': json('id'),
  'workflow_runs.output': json('id'),
  'workflow_runs.error': json('id'),
  'workflow_runs.progress_details': json('id'),
  'workflow_runs.pinned_outputs': json('id'),
  'workflow_journal.events': text('run_id', 'first_seq'),
  // Not the run: a retry has values of the first one.
  'workflow_values.value': text('id'),
  'workflow_samples.outputs': text('workflow_id', 'node_id'),
  'workflow_effects.answer': json('key'),
  'workflow_approvals.question': text('id'),
  'workflow_approvals.details': text('id'),
  'workflow_approvals.note': text('id'),
  'evaluations.cases': json('id'),
  'evaluation_runs.cases': json('id'),
  'evaluation_sourced_cases.content': json('id'),
  'evaluation_results.result': json('evaluation_run_id', 'position'),
  'evaluation_marks.note': text('evaluation_run_id', 'position', 'marked_by'),
  'sandbox_terminal_input.text': text('id'),
  'sandbox_terminal_output.text': text('terminal_id', 'seq'),
} as const satisfies Record<`${string}.${string}`, TextColumnFormat>;

export type TextColumn = keyof typeof textColumns;
