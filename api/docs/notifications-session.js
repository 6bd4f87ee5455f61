/** Who uses the page. Tokens are in its memory alone: they go with the page, and with signing out. */

/** What the service refused, as it says it. */
export class Refusal extends Error {
  constructor(status, { detail, title } = {}) {
    super(detail ?? title ?? `The service answered ${status}`);
    this.status = status;
  }
}

export class Session {
  tenantId = null;
  #token;
  /** null for a pasted token: that session is not the page's to renew or to end. */
  #refreshToken;
  #renewing = null;

  constructor({ token, refreshToken = null }) {
    this.#token = token;
    this.#refreshToken = refreshToken;
  }

  static async signIn(email, password) {
    const answer = await send('POST', '/api/auth/login', {}, { email, password });
    return new Session({ token: answer.token, refreshToken: answer.refresh_token });
  }

  get token() {
    return this.#token;
  }

  /** Sends a request, once more if the token had expired. */
  async call(method, path, body) {
    try {
      return await send(method, path, this.#headers(), body);
    } catch (error) {
      if (error.status !== 401 || !(await this.renew())) throw error;
      return await send(method, path, this.#headers(), body);
    }
  }

  /** Gets a new token; at once for all who ask, for each refresh token works once. @returns whether there is one */
  async renew() {
    if (this.#refreshToken === null) return false;
    this.#renewing ??= this.#refresh().finally(() => {
      this.#renewing = null;
    });
    return await this.#renewing;
  }

  /** Ends it at the service, if it began here, and forgets the tokens. */
  async end() {
    try {
      if (this.#refreshToken !== null) await this.call('POST', '/api/auth/logout', {});
    } finally {
      this.#token = '';
      this.#refreshToken = null;
    }
  }

  async #refresh() {
    try {
      const answer = await send('POST', '/api/auth/refresh', {}, { refresh_token: this.#refreshToken });
      this.#token = answer.token;
      this.#refreshToken = answer.refresh_token;
      return true;
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return false;
      throw error;
    }
  }

  #headers() {
    return { Authorization: `Bearer ${this.#token}`, ...(this.tenantId !== null && { 'X-Tenant-Id': this.tenantId }) };
  }
}

async function send(method, path, headers, body) {
  const response = await fetch(path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal(0, { detail: 'The service does not answer. Try again.' });
  });
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => undefined);
  if (!response.ok) throw new Refusal(response.status, answer);
  return answer;
}
