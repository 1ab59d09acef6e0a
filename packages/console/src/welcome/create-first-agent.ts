import type { Atrium } from '@atrium/sdk';
import { welcomeTexts } from '../text/welcome.ts';
import { sampleDocuments } from './sample-documents.ts';

const pause = (ms: number) => new Promise((passed) => setTimeout(passed, ms));

/** Waits until the documents are read, for ten seconds at most. */
async function waitUntilRead(client: Atrium, base: string, runs: readonly string[]): Promise<boolean> {
  for (let tries = 0; tries < 40; tries++) {
    const { open, failed } = await countRuns(client, base, runs);
    if (open === 0) return failed === 0;
    await pause(250);
  }
  return false;
}

async function countRuns(client: Atrium, base: string, ids: readonly string[]) {
  const runs = await client.knowledgeBases.listIngestionRuns(base, { run_ids: ids.join(',') });
  const open = runs.filter(({ status }) => status === 'queued' || status === 'running').length;
  return {
    open: runs.length === 0 ? ids.length : open,
    failed: runs.filter(({ status }) => status === 'failed').length,
  };
}

/** Makes a knowledge base of the sample documents. Returns its id and whether all of it is read. */
async function makeSample(client: Atrium): Promise<{ id: string; isRead: boolean }> {
  const { sampleName: name, sampleAbout: description } = welcomeTexts.agent;
  const { items } = await client.knowledgeBases.list({ search: name });
  const known = items.find((base) => base.name === name);
  if (known) return { id: known.id, isRead: true };
  const { id } = await client.knowledgeBases.create({ name, description });
  const files = sampleDocuments.map((document) => new File([document.text], document.name, { type: 'text/markdown' }));
  const runs = await client.documents.upload(id, files);
  return { id, isRead: await waitUntilRead(client, id, runs) };
}

export interface FirstAgent {
  name: string;
  startingPoint: string | undefined;
  model: string | undefined;
  withSample: boolean;
}

/** Creates the agent, with a knowledge base that it can answer from at once. */
export async function createFirstAgent(client: Atrium, { name, startingPoint, model, withSample }: FirstAgent) {
  const sample = withSample ? await makeSample(client) : undefined;
  const agent = await client.agents.create({
    name,
    ...(startingPoint && { starting_point: startingPoint }),
    definition: {
      ...(model && { model: [model] }),
      ...(sample && { knowledge_bases: [{ id: sample.id }] }),
    },
  });
  return { agent, isRead: sample?.isRead ?? true };
}
