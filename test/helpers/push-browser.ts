/** A browser that subscribes to Web Push and reads what it gets (RFC 8291, RFC 8188). */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

const SALT_BYTES = 16;
const TAG_BYTES = 16;

export interface PushBrowser {
  /** The result of `PushSubscription.toJSON()`. */
  readonly subscription: {
    readonly endpoint: string;
    readonly expirationTime: null;
    readonly keys: { readonly p256dh: string; readonly auth: string };
  };
  /** The message in the body of a push. */
  read(body: Buffer): unknown;
}

export function pushBrowser(endpoint: string): PushBrowser {
  const own = createECDH('prime256v1');
  const publicKey = own.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: {
      endpoint,
      expirationTime: null,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    },
    read(body) {
      const salt = body.subarray(0, SALT_BYTES);
      // The size of a record follows, then the sender's key with its length.
      const keyAt = SALT_BYTES + 5;
      const senderKey = body.subarray(keyAt, keyAt + (body[SALT_BYTES + 4] ?? 0));
      const record = body.subarray(keyAt + senderKey.length);
      const derive = (secret: Buffer, extra: Buffer, info: Buffer, length: number) =>
        Buffer.from(hkdfSync('sha256', secret, extra, info, length));
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, senderKey]);
      const secret = derive(own.computeSecret(senderKey), auth, info, 32);
      const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
      const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
      const decipher = createDecipheriv('aes-128-gcm', key, nonce);
      decipher.setAuthTag(record.subarray(-TAG_BYTES));
      const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG_BYTES)), decipher.final()]);
      return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString('utf8'));
    },
  };
}
