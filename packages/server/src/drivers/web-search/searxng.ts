import type { Web } from '../web/driver.ts';
import type { WebSearch } from './driver.ts';
import { askJson, hitsIn, resultsIn } from './fetch-json.ts';

/** A SearXNG of the operator's own. Its settings must list `json` under `search.formats`. */
export const makeSearxng = ({ web, url }: { web: Web; url: string }): WebSearch => ({
  name: 'SearXNG',
  async search(query, count, signal) {
    const parameters = new URLSearchParams({ q: query, format: 'json' });
    const answer = await askJson(web, 'SearXNG', `${url}/search?${parameters}`, { signal });
    return hitsIn(resultsIn(answer), 'content', count);
  },
});
