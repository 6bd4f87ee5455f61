/** The parts that the collection needs of Bruno's format, which has no types of its own. */
declare module '@usebruno/lang' {
  interface BruPair {
    readonly name: string;
    readonly value: unknown;
    readonly enabled: boolean;
    readonly type?: string;
    readonly local?: boolean;
    readonly secret?: boolean;
  }
  interface BruRequest {
    readonly meta: { readonly name: string; readonly type: 'http'; readonly seq: number };
    readonly http: { readonly method: string; readonly url: string; readonly body: string; readonly auth: string };
    readonly params?: readonly BruPair[];
    readonly headers?: readonly BruPair[];
    readonly body?: { readonly json?: string; readonly multipartForm?: readonly BruPair[] };
    readonly vars?: { readonly res: readonly BruPair[] };
    readonly assertions?: readonly BruPair[];
    readonly docs?: string;
  }
  export function jsonToBruV2(request: object): string;
  export function bruToJsonV2(text: string): BruRequest;
  export function envJsonToBruV2(environment: { readonly variables: readonly BruPair[] }): string;
  export function bruToEnvJsonV2(text: string): { readonly variables: readonly BruPair[] };
  export function jsonToCollectionBru(collection: object): string;
  export type { BruRequest };
}
