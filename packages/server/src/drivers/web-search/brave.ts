import { z } from 'zod';
import type { Web } from '../web/driver.ts';
import type { WebSearch } from './driver.ts';
import { askJson, hitsIn, resultsIn } from './fetch-json.ts';

const pages = z.object({ web: z.unknown() });

export const makeBrave = ({ web, url, api_key }: { web: Web; url: string; api_key: string }): WebSearch => ({
  name: 'Brave Search',
  async search(query, count, signal) {
    // The service refuses longer queries.
    const parameters = new URLSearchParams({ q: query.slice(0, 400), count: String(Math.min(count, 20)) });
    const headers = { 'x-subscription-token': api_key, accept: 'application/json' };
    const answer = await askJson(web, 'Brave Search', `${url}/web/search?${parameters}`, { headers, signal });
    return hitsIn(resultsIn(pages.safeParse(answer).data?.web), 'description', count);
  },
});
