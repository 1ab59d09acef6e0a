import { z } from 'zod';
import type { Web } from '../../../drivers/web/driver.ts';
import type { LiveDeployment } from '../../deployments/service.ts';
import { ask } from '../call-channel-api.ts';
import { type Channel, ChannelFailure, type ChannelRef, type LoadedFile, unreadable } from '../channel.ts';
import { signed, verifySignedRequest } from '../signature.ts';

/** What another program says in the name of its user. */
const message = z.object({
  /** Of this message; without it the id of the request counts. */
  id: z.string().min(1).max(200).optional(),
  thread: z.string().min(1).max(200),
  text: z.string().max(1_000_000).default(''),
  user: z.object({ id: z.string().max(200).optional(), name: z.string().max(200).optional() }).optional(),
  files: z
    .array(z.object({ name: z.string().min(1).max(1000), content: z.base64() }))
    .max(50)
    .default([]),
});

function readMessage(bytes: Buffer) {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch {
    throw unreadable('The body is not JSON');
  }
  const parsed = message.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unreadable(`${issue?.path.join('.') || 'The body'}: ${issue?.message}`);
  }
  if (!parsed.data.text.trim() && parsed.data.files.length === 0) throw unreadable('There is neither text nor a file');
  return parsed.data;
}

const largest = 25 * 1024 * 1024;
/** What a program can be expected to take in one request. */
const mostInside = 5 * 1024 * 1024;

/** Files as they come in, too: with their bytes, or only where to fetch them (with an API key) when they are many. */
export function filesIn(conversation_id: string, files: readonly LoadedFile[]) {
  const inside = files.reduce((sum, { size }) => sum + size, 0) <= mostInside;
  return files.map(({ bytes, ...file }) => ({
    ...file,
    path: `/v1/conversations/${conversation_id}/files/${file.id}`,
    content: inside ? bytes.toString('base64') : null,
  }));
}

/** Any program: messages come in signed, and replies go out signed to an address of its own. */
export function makeWebhookChannel(web: Web): Channel {
  async function post(deployment: LiveDeployment, id: string, body: Record<string, unknown>): Promise<void> {
    const { reply_url } = deployment.config;
    // One that asks for conversations itself needs no replies.
    if (typeof reply_url !== 'string') return;
    const text = JSON.stringify(body);
    const headers = signed(deployment.secrets['signing_secret'] ?? '', id, text);
    // Redirects are not followed: the request was signed for this address only.
    const request = { method: 'POST', headers, body: text, follow: false } as const;
    const { status } = await ask(web, 'The reply address', reply_url, request);
    // 410: the receiver is gone for good.
    if (status < 200 || status > 299)
      throw new ChannelFailure(`The reply address answered with the status ${status}`, { final: status === 410 });
  }

  const about = (ref: ChannelRef, conversation_id: string) => ({ thread: ref['thread'], conversation_id });

  return {
    limit: 1_000_000,
    carries: { each: largest, total: Number.POSITIVE_INFINITY },
    async receive(deployment, sent) {
      const id = verifySignedRequest(deployment.secrets['signing_secret'], sent);
      const { thread, text, files, user, ...own } = readMessage(sent.bytes);
      const ref = { thread, ...(user && { user }) };
      return { messages: [{ event_id: own.id ?? id, thread, ref, text, files }] };
    },
    async thinking(deployment, ref, text, conversation_id) {
      await post(deployment, `thinking-${conversation_id}-${Date.now()}`, {
        ...{ type: 'thinking', ...about(ref, conversation_id), text },
      });
      return null;
    },
    send: (deployment, { id, ref, text, kind, conversation_id, files }) =>
      post(deployment, `reply-${deployment.id}-${id}`, {
        ...{ type: kind, ...about(ref, conversation_id), id, text },
        files: filesIn(conversation_id, files),
      }),
  };
}
