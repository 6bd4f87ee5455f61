/** The object store for attachments that are not kept in the database. */
import { type Problems, text, url } from './parse.ts';

export interface ObjectStoreConfig {
  /** Address of a store that speaks Amazon's S3 protocol. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Loads the `S3_…` variables; undefined without S3_ENDPOINT. */
export function loadObjectStore(
  env: Record<string, string | undefined>,
  problems: Problems,
): ObjectStoreConfig | undefined {
  const endpoint = url(env, 'S3_ENDPOINT', ['http:', 'https:'], problems);
  const region = text(env, 'S3_REGION') ?? 'us-east-1';
  const needed = (name: string): string => {
    const value = text(env, name);
    if (value === undefined && endpoint !== undefined) problems.push(`${name} is missing: S3_ENDPOINT needs it`);
    return value ?? '';
  };
  const bucket = needed('S3_BUCKET');
  const accessKeyId = needed('S3_ACCESS_KEY_ID');
  const secretAccessKey = needed('S3_SECRET_ACCESS_KEY');
  if (endpoint === undefined) return undefined;
  return Object.freeze({ endpoint, region, bucket, accessKeyId, secretAccessKey });
}
