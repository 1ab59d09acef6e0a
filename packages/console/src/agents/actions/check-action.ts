import { actionTexts } from '../../text/agent-actions.ts';

const words = actionTexts.faults;

/** What is wrong with an action, by field, as far as the page can tell. `taken`: the names of the other actions. */
export function checkAction(
  action: Readonly<Record<string, unknown>>,
  taken: readonly string[],
): Readonly<Record<string, string>> {
  const [name, url] = [action['name'], action['url']].map((text) => (typeof text === 'string' ? text.trim() : ''));
  const host = /^https?:\/\/([^/?#]*)/i.exec(url ?? '')?.[1];
  return {
    ...(!name ? { name: words.name } : taken.includes(name) && { name: words.nameTaken }),
    ...(!host ? { url: words.url } : /[{}]/.test(host) && { url: words.host }),
  };
}
