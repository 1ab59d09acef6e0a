import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A 256-bit key and the name that boxes sealed with it carry. */
export interface BoxKey {
  id: string;
  secret: Buffer;
}

/** A box that does not open: damaged, or not meant for this key or context. */
export class BoxError extends Error {}

const version = 'box1';

/** A key's name is taken from the key itself, so that two keys are never mistaken for each other. */
export const boxKey = (secret: Buffer): BoxKey => ({
  id: createHash('sha256').update('atrium key id\0').update(secret).digest('hex').slice(0, 16),
  secret,
});

export const newBoxKey = () => boxKey(randomBytes(32));

/**
 * AES-256-GCM with a random nonce. `context` says what the text is and whose; it is not in the box but must be the
 * same when it is opened, so a box copied to another row or another workspace does not open there.
 */
export function seal(key: BoxKey, context: string, plain: string | Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.secret, nonce);
  cipher.setAAD(Buffer.from(`${version}\0${key.id}\0${context}`));
  const sealed = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${key.id}.${sealed.toString('base64url')}`;
}

/** The name of the key a box was sealed with; undefined when the text is no box. */
export function sealingKeyId(box: string): string | undefined {
  const [head, id, body] = box.split('.');
  return head === version && body !== undefined ? id : undefined;
}

/** Throws when the key, the context or a single bit is another. The message never holds what was inside. */
export function open(key: BoxKey, context: string, box: string): Buffer {
  if (sealingKeyId(box) !== key.id) throw new BoxError('The sealed box was made with another key');
  const body = box.slice(version.length + key.id.length + 2);
  const sealed = Buffer.from(body, 'base64url');
  // The decoder skips what it does not know, so other texts could say the same bytes: only the one we write is a box.
  if (sealed.length < 28 || sealed.toString('base64url') !== body) throw new BoxError('The sealed box is damaged');
  const decipher = createDecipheriv('aes-256-gcm', key.secret, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(`${version}\0${key.id}\0${context}`));
  decipher.setAuthTag(sealed.subarray(-16));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
  } catch {
    throw new BoxError('The sealed box is damaged or was sealed for something else');
  }
}
