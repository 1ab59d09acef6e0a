import { z } from 'zod';
import { baseAddress, key, type Values, webAddress } from '../lib/environment-fields.ts';

/** What agents search the web with, the first that is set, and what they draw with. */
export const toolVariables = {
  ATRIUM_SEARXNG_URL: baseAddress
    .optional()
    .describe('Address of a SearXNG that searches the web for agents; it has to answer in JSON'),
  BRAVE_API_KEY: key('Brave Search, to search the web for agents'),
  BRAVE_BASE_URL: webAddress.default('https://api.search.brave.com/res/v1').describe("Address of Brave Search's API"),
  TAVILY_API_KEY: key('Tavily, to search the web for agents'),
  TAVILY_BASE_URL: webAddress.default('https://api.tavily.com').describe("Address of Tavily's API"),
  ATRIUM_IMAGE_MODEL: z
    .string()
    .optional()
    .describe('Model that makes images for agents (provider/name); without it they make none'),
};

type ToolValues = Values<typeof toolVariables>;

interface SearchConfig {
  service: 'searxng' | 'brave' | 'tavily';
  url: string;
  api_key: string;
}

function searchFrom(e: ToolValues): SearchConfig | undefined {
  if (e.ATRIUM_SEARXNG_URL) return { service: 'searxng', url: e.ATRIUM_SEARXNG_URL, api_key: '' };
  if (e.BRAVE_API_KEY) return { service: 'brave', url: e.BRAVE_BASE_URL, api_key: e.BRAVE_API_KEY };
  return e.TAVILY_API_KEY ? { service: 'tavily', url: e.TAVILY_BASE_URL, api_key: e.TAVILY_API_KEY } : undefined;
}

export const toolsFrom = (e: ToolValues) => ({
  /** Undefined when no service is configured. */
  search: searchFrom(e),
  image_model: e.ATRIUM_IMAGE_MODEL,
});
