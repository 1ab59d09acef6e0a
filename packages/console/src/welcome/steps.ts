export const steps = ['account', 'model', 'agent', 'try'] as const;
export type Step = (typeof steps)[number];

export const numberOf = (step: Step) => steps.indexOf(step) + 1;
export const stepAfter = (step: Step): Step => steps[steps.indexOf(step) + 1] ?? 'try';
export const stepBefore = (step: Step): Step => steps[Math.max(1, steps.indexOf(step) - 1)] ?? 'model';

/** Models that write, by their names: those for vectors, rankings, speech and pictures are left out. */
export const isWriter = (name: string) =>
  !/embed|rerank|whisper|tts|dall-e|image|moderation|bge-|transcribe/i.test(name);
export const isEmbedder = (name: string) => /embed|bge-(?!rerank)/i.test(name) && !/rerank/i.test(name);

/** A name for the account of a server: its host, as the API takes names. */
export function accountName(address: string): string {
  let host = '';
  try {
    host = new URL(address).hostname;
  } catch {
    // The address is checked by the server.
  }
  if (/^(?:localhost|127\.|\[?::1|host\.docker)/.test(host)) return 'local';
  return (
    host
      .toLowerCase()
      .replace(/[^a-z0-9.-]/g, '-')
      .replace(/^[^a-z0-9]+/, '')
      .slice(0, 60) || 'server'
  );
}

/** Starting points in the order of the first start: those that answer from documents come first. */
export function shownFirst<P extends { key: string }>(points: readonly P[]): P[] {
  const first = ['support-desk', 'knowledge-guide', 'research-assistant'];
  const rank = ({ key }: P) => (first.includes(key) ? first.indexOf(key) : first.length);
  return points.toSorted((a, b) => rank(a) - rank(b));
}
