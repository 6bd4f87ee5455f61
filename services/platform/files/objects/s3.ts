/** Stores objects by Amazon's S3 protocol: in Amazon's own service, MinIO, Ceph and others. */
import type { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { ObjectStoreConfig } from '../../../../config/objects.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import type { ObjectStore } from './object-store.ts';

/** Maximum tries of a request, and time limits of each try. */
const TRIES = 3;
const CONNECT_MS = 3000;
const REQUEST_MS = 30_000;

type Sdk = typeof import('@aws-sdk/client-s3');

export class S3Store implements ObjectStore {
  readonly #config: ObjectStoreConfig;
  readonly #requestMs: number;
  #opened: Promise<{ readonly sdk: Sdk; readonly client: S3Client }> | undefined;

  /** @param requestMs time limit of each try of a request */
  constructor(config: ObjectStoreConfig, requestMs = REQUEST_MS) {
    this.#config = config;
    this.#requestMs = requestMs;
  }

  async put(key: string, content: Uint8Array, sha256: string): Promise<void> {
    await this.#send(({ sdk, client, bucket }) =>
      client.send(
        new sdk.PutObjectCommand({
          Bucket: bucket,
          Key: key,
          Body: content,
          ContentLength: content.length,
          ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
        }),
      ),
    );
  }

  async get(key: string): Promise<Readable | null> {
    return await this.#send(async ({ sdk, client, bucket }) => {
      try {
        const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key: key }));
        return Body as Readable;
      } catch (error) {
        if (error instanceof sdk.NoSuchKey) return null;
        throw error;
      }
    });
  }

  async remove(key: string): Promise<void> {
    await this.#send(({ sdk, client, bucket }) =>
      client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key })),
    );
  }

  async #send<T>(work: (open: { sdk: Sdk; client: S3Client; bucket: string }) => Promise<T>): Promise<T> {
    // The library is large: it is loaded only if attachments are stored there.
    this.#opened ??= open(this.#config, this.#requestMs);
    try {
      return await work({ ...(await this.#opened), bucket: this.#config.bucket });
    } catch (cause) {
      throw new ServiceError('unavailable', 'The store of attachments does not answer; try again in a moment', {
        cause,
        retryAfter: 5,
      });
    }
  }
}

async function open({ endpoint, region, accessKeyId, secretAccessKey }: ObjectStoreConfig, requestMs: number) {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Stores other than Amazon's have no host name per bucket, and do not support newer checksums.
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
    // Without the last option, the library only logs a warning for a request that takes too long.
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: requestMs, throwOnRequestTimeout: true },
  });
  return { sdk, client };
}
