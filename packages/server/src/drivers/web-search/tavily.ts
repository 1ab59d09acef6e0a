import type { Web } from '../web/driver.ts';
import type { WebSearch } from './driver.ts';
import { askJson, hitsIn, resultsIn } from './fetch-json.ts';

export const makeTavily = ({ web, url, api_key }: { web: Web; url: string; api_key: string }): WebSearch => ({
  name: 'Tavily',
  async search(query, count, signal) {
    const answer = await askJson(web, 'Tavily', `${url}/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, max_results: Math.min(count, 20), search_depth: 'basic' }),
      signal,
    });
    return hitsIn(resultsIn(answer), 'content', count);
  },
});
