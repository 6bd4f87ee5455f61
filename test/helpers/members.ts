/** Further members of a company, each with a client of their own. */
import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import type { TestClient } from './client.ts';

export interface Member {
  readonly id: string;
  readonly email: string;
  readonly membershipId: string;
  readonly client: TestClient;
}

/** Adds a member with a role, and logs them in. */
export async function addMember(app: TestApp, role: string, name: string = role): Promise<Member> {
  const login = { email: `${name}@example.test`, password: 'a password of the tests' };
  const made = await app.client.post('/api/users', { ...login, name, role });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { body } = await app.anonymous.post('/api/auth/login', login);
  const { id, membershipId } = made.body.data;
  return { id, email: login.email, membershipId, client: app.as(body.token) };
}
