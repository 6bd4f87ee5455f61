/** Shared by the checks of all declared resources: one service, two companies, and a member of each role needed. */
import assert from 'node:assert/strict';
import { type Permission, ROLES, type Role } from '../../../../domain/permissions.ts';
import type { ResourceDeclaration } from '../../../../services/records/resources/declaration.ts';
import { startTestApp, type TestApp } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { addMember } from '../../../helpers/members.ts';
import { type Made, ResourceBodies } from '../../../helpers/resource-bodies.ts';

export interface World {
  readonly app: TestApp;
  /** Acts in the company that was set up, as its owner. */
  readonly mine: ResourceBodies;
  /** Acts in another company. */
  readonly other: ResourceBodies;
  /** A member of the first company. */
  member(role: Role): Promise<TestClient>;
  /** Returns the number of rows in a list. */
  total(listPath: string): Promise<number>;
}

/** A resource under test. Its rows are made by the first check of the resource, and shared by all. */
export interface Subject {
  readonly declaration: ResourceDeclaration;
  readonly world: () => World;
  /** With every member that can be set. */
  readonly full: () => Made;
  /** With the required members only, below the same parent. */
  readonly least: () => Made;
  /** A row of the other company. */
  readonly foreign: () => Made;
}

export async function startWorld(): Promise<World> {
  const app = await startTestApp();
  try {
    const company = { name: 'Otra SL', taxId: 'B98765431', country: 'ES', currency: 'EUR' };
    const { status, body } = await app.client.post('/api/tenants', company);
    assert.equal(status, 201, JSON.stringify(body));
    return companyWorld(app, body.data.id);
  } catch (error) {
    await app.stop();
    throw error;
  }
}

function companyWorld(app: TestApp, otherTenant: string): World {
  const members = new Map<Role, Promise<TestClient>>();
  return {
    app,
    mine: new ResourceBodies(app.client),
    other: new ResourceBodies(app.as(app.token, otherTenant)),
    member(role) {
      const member = members.get(role) ?? addMember(app, role).then(({ client }) => client);
      members.set(role, member);
      return member;
    },
    total: async (listPath) => (await app.client.get(`${listPath}?limit=1`)).body.pagination.total,
  };
}

/** A role that lacks a permission; undefined when everybody has it. */
export function roleWithout(permission: Permission): Role | undefined {
  const roles: Role[] = ['viewer', 'hr', 'sales', 'warehouse', 'accountant'];
  return roles.find((role) => !ROLES[role].permissions.has(permission));
}
