import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser's subscription. */
export interface PushReceiver {
  /** The public key, 65 bytes. */
  p256dh: Buffer;
  /** The secret that the browser shares with us, 16 bytes. */
  auth: Buffer;
}

/** One record holds all of it. */
const recordSize = 4096;
const header = 16 + 4 + 1 + 65;
const tag = 16;
const mostPlainBytes = recordSize - header - tag - 1;

const derive = (salt: Buffer, secret: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));
const label = (text: string) => Buffer.from(`${text}\0`);

/** Encrypts a message for one browser: RFC 8291, with the coding aes128gcm of RFC 8188. `own` and `salt` are for tests. */
export function encryptPush(
  plain: Buffer,
  { p256dh, auth }: PushReceiver,
  { own, salt = randomBytes(16) }: { own?: Buffer; salt?: Buffer } = {},
): Buffer {
  if (plain.length > mostPlainBytes) throw new Error(`A push message has at most ${mostPlainBytes} bytes`);
  const sender = createECDH('prime256v1');
  if (own) sender.setPrivateKey(own);
  else sender.generateKeys();
  const publicKey = sender.getPublicKey();
  const info = Buffer.concat([label('WebPush: info'), p256dh, publicKey]);
  const secret = derive(auth, sender.computeSecret(p256dh), info, 32);
  const key = derive(salt, secret, label('Content-Encoding: aes128gcm'), 16);
  const nonce = derive(salt, secret, label('Content-Encoding: nonce'), 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // The 2 says that this record is the last.
  const body = Buffer.concat([cipher.update(Buffer.concat([plain, Buffer.from([2])])), cipher.final()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(recordSize);
  return Buffer.concat([salt, size, Buffer.from([publicKey.length]), publicKey, body, cipher.getAuthTag()]);
}

/** Whether a key lies on the curve: one that does not can't be encrypted for. */
export function isPublicKey(key: Buffer): boolean {
  if (key.length !== 65 || key[0] !== 4) return false;
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  try {
    ecdh.computeSecret(key);
    return true;
  } catch {
    // The only error there is: it is no point of the curve.
    return false;
  }
}
