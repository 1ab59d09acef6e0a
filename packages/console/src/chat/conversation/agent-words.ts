/** The defaults of these settings. Where a setting has its default, the page shows words of its own. */
const firstWords = {
  chat_input_placeholder: 'Ask me anything...',
  feedback_placeholder: 'Add details (optional)',
  feedback_submit_label: 'Submit',
  feedback_cancel_label: 'Cancel',
} as const;

/** A text of the agent's settings if an editor has changed it; else the words of the page. */
export function agentWords(settings: unknown, key: keyof typeof firstWords, own: string): string {
  const value = (settings as Record<string, unknown> | null | undefined)?.[key];
  return typeof value === 'string' && value.trim() && value !== firstWords[key] ? value : own;
}
