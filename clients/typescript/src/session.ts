/** The credentials of a client: an API key, or a person's tokens that are renewed before and when they end. */
import { AuthenticationError, toError } from './errors.ts';

export interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

/** One of: an API key, an e-mail address with a password, or tokens of an earlier session. */
export type Credentials = { readonly apiKey: string } | { readonly email: string; readonly password: string } | Tokens;

export interface SessionOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly fetch: typeof fetch;
  /** Told of new tokens, which work once: whoever keeps them must keep the last ones. */
  readonly onTokens?: ((tokens: Tokens) => void) | undefined;
}

interface LoginAnswer {
  readonly token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Seconds before its end at which a token is renewed. */
const EARLY = 30;

export class Session {
  readonly #options: SessionOptions;
  #tokens: Tokens | null = null;
  #endsAt = Number.POSITIVE_INFINITY;
  /** The renewal under way, which all requests wait for: a refresh token works once. */
  #renewal: Promise<string> | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    if ('refreshToken' in options.credentials) this.#tokens = options.credentials;
  }

  /** The token for a request. @throws AuthenticationError */
  async token(): Promise<string> {
    const { credentials } = this.#options;
    if ('apiKey' in credentials) return credentials.apiKey;
    const tokens = this.#tokens;
    return tokens === null || Date.now() > this.#endsAt - EARLY * 1000 ? this.renew(tokens?.token) : tokens.token;
  }

  /** Whether a refusal of the token may be mended by a new one. */
  canRenew(): boolean {
    return !('apiKey' in this.#options.credentials);
  }

  /** Gets a new token, unless another request has replaced the refused one. */
  renew(refused: string | undefined): Promise<string> {
    if (this.#tokens !== null && this.#tokens.token !== refused) return Promise.resolve(this.#tokens.token);
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #renew(): Promise<string> {
    const { credentials } = this.#options;
    const login = 'email' in credentials ? credentials : null;
    if (this.#tokens !== null) {
      try {
        return await this.#ask('/api/auth/refresh', { refresh_token: this.#tokens.refreshToken });
      } catch (error) {
        if (login === null || !(error instanceof AuthenticationError)) throw error;
      }
    }
    return await this.#ask('/api/auth/login', { email: login?.email, password: login?.password });
  }

  async #ask(path: string, body: object): Promise<string> {
    const { baseUrl, fetch, onTokens } = this.#options;
    const response = await fetch(`${baseUrl}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await toError(response);
    const answer = (await response.json()) as LoginAnswer;
    this.#tokens = { token: answer.token, refreshToken: answer.refresh_token };
    this.#endsAt = Date.now() + answer.expires_in * 1000;
    onTokens?.(this.#tokens);
    return answer.token;
  }
}
