import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys that a browser makes for a subscription. */
export function makeBrowser() {
  const ecdh = createECDH('prime256v1');
  ecdh.generateKeys();
  const receiver = { p256dh: ecdh.getPublicKey(), auth: randomBytes(16) };
  const keys = { p256dh: receiver.p256dh.toString('base64url'), auth: receiver.auth.toString('base64url') };
  return { ecdh, receiver, keys };
}

/** Reads a message as RFC 8291 tells browsers to. */
export function decryptAsBrowser(sent: Buffer, { ecdh, receiver }: ReturnType<typeof makeBrowser>): string {
  const [salt, size, length] = [sent.subarray(0, 16), sent.readUInt32BE(16), sent[20] as number];
  const sender = sent.subarray(21, 21 + length);
  const record = sent.subarray(21 + length);
  if (record.length > size) throw new Error('The record is too long');
  const derive = (from: Buffer, by: Buffer, info: Buffer, bytes: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, bytes));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver.p256dh, sender]);
  const secret = derive(ecdh.computeSecret(sender), receiver.auth, info, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = plain.lastIndexOf(2);
  return plain.subarray(0, end).toString();
}
