import { hash } from 'node:crypto';
import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import { NotExtractable } from '../../../drivers/extractors/driver.ts';
import type { Previews } from '../../../drivers/previews/driver.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import type { UploadedFile } from '../../../lib/route.ts';
import type { Scope } from '../../../lib/scope.ts';
import { findAgent, lockAgent } from '../store.ts';
import * as store from './picture-store.ts';

/** The uploaded pictures of agents. */
export interface AgentPictures {
  set(scope: Scope, agent_id: string, files: AsyncIterable<UploadedFile>): Promise<{ image_url: string }>;
  remove(scope: Scope, agent_id: string): Promise<void>;
  get(scope: Scope, agent_id: string, version: string | undefined): Promise<RawAnswer>;
}

const width = 256;
/** In bytes: an image that is far higher than wide. */
const largest = 256 * 1024;
const notAnImage = (why: string) => conflict(`This can't be the picture of an agent: ${why}`, 'not_an_image');

export function makeAgentPictures({ db, draw }: { db: Database; draw: Previews }): AgentPictures {
  const addressOf = (agent_id: string) => `/v1/agents/${agent_id}/picture`;

  /** Draws the image anew in a process of its own: what is stored has nothing of the file but its pixels. */
  async function drawPicture(scope: Scope, { filename, stream }: UploadedFile): Promise<Buffer> {
    // The first bytes decide what it is; the type only says that it is no document.
    const request = { content_type: 'image/png', filename, page: 1, width, signal: scope.signal };
    try {
      const { data } = await draw(stream, request);
      if (data.length > largest) throw notAnImage('it is far higher than wide');
      return Buffer.from(data);
    } catch (error) {
      throw error instanceof NotExtractable ? notAnImage(error.message) : error;
    }
  }

  async function readOnly(scope: Scope, files: AsyncIterable<UploadedFile>): Promise<Buffer> {
    let drawn: Buffer | undefined;
    for await (const file of files) drawn ??= await drawPicture(scope, file);
    if (!drawn) throw notAnImage('the form has no file');
    return drawn;
  }

  return {
    async set(scope, agent_id, files) {
      if (!(await findAgent(db, scope.workspace_id, agent_id))) throw notFound('agent');
      const bytes = await readOnly(scope, files);
      const version = hash('sha256', bytes, 'hex').slice(0, 16);
      const image_url = `${addressOf(agent_id)}?v=${version}`;
      return db.transaction(scope, async (tx) => {
        const agent = await lockAgent(tx, scope.workspace_id, agent_id);
        if (!agent) throw notFound('agent');
        await store.putPicture(tx, scope.workspace_id, agent_id, version, bytes);
        await store.setImageUrl(tx, scope.workspace_id, agent_id, image_url);
        scope.audit?.note({
          target: { kind: 'agent', id: agent_id, name: agent.name },
          ...{ before: { image_url: agent.image_url }, after: { image_url } },
        });
        return { image_url };
      });
    },

    async remove(scope, agent_id) {
      await db.transaction(scope, async (tx) => {
        const agent = await lockAgent(tx, scope.workspace_id, agent_id);
        if (!agent) throw notFound('agent');
        await store.deletePicture(tx, scope.workspace_id, agent_id);
        if (agent.image_url?.startsWith(addressOf(agent_id)))
          await store.setImageUrl(tx, scope.workspace_id, agent_id, null);
      });
    },

    async get(scope, agent_id, version) {
      if (!(await findAgent(db, scope.workspace_id, agent_id))) throw notFound('agent');
      const picture = await store.findPicture(db, scope.workspace_id, agent_id);
      if (!picture) throw conflict('No picture was uploaded for this agent', 'no_picture');
      return new RawAnswer(picture.bytes, {
        ...{ 'content-type': 'image/webp', 'content-length': String(picture.bytes.length) },
        ...{ 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" },
        'cache-control': version === picture.hash ? 'private, max-age=31536000, immutable' : 'private, no-cache',
      });
    },
  };
}
