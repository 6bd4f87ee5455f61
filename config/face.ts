/** Addresses of FACe, the state's entry point for invoices to public bodies. */
import { type Problems, text, url } from './parse.ts';

export interface FaceConfig {
  /** Base of its interface for those who send invoices, by environment; without a slash at its end. */
  readonly addresses: Readonly<Record<'test' | 'production', string>>;
  /** A file with further authorities that its certificate may have. */
  readonly caFile: string | undefined;
}

/** FACe, manual of the providers' interface, 2.0. */
const ADDRESSES = {
  test: 'https://se-api-face.redsara.es/providers',
  production: 'https://api.face.gob.es/providers',
} as const;

/** Loads the `FACE_…` variables. */
export function loadFace(env: Record<string, string | undefined>, problems: Problems): FaceConfig {
  const address = (environment: keyof typeof ADDRESSES) => {
    const given = url(env, `FACE_${environment.toUpperCase()}_URL`, ['https:'], problems);
    return (given ?? ADDRESSES[environment]).replace(/\/$/, '');
  };
  return Object.freeze({
    addresses: Object.freeze({ test: address('test'), production: address('production') }),
    caFile: text(env, 'FACE_CA_FILE'),
  });
}
