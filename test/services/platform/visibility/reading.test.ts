import assert from 'node:assert/strict';
import { ENTITIES } from '../../../../db/models/entities.ts';
import { Absence, Employee } from '../../../../db/models/records/people.ts';
import { PRIVATE, READ_PERMISSIONS, ROLES } from '../../../../domain/permissions.ts';
import { canRead, readableTypes, shownTo, subjectMember } from '../../../../services/platform/visibility/reading.ts';
import { filesUnder } from '../../../helpers/files.ts';

const MODELS = new URL('../../../../db/models/', import.meta.url);

describe('what a set of permissions may read', () => {
  it('is declared by every model with an entity type', async () => {
    const files = filesUnder(MODELS.pathname, /\.ts$/);
    assert.ok(files.length > 20);
    for (const file of files) {
      const models = Object.values(await import(new URL(file, MODELS).href)) as {
        entityType?: string;
        access?: string;
      }[];
      for (const { entityType, access } of models) {
        if (entityType === undefined || typeof entityType !== 'string') continue;
        assert.ok(access !== undefined, `${entityType} needs a static access`);
        assert.ok(ENTITIES.has(entityType), `${entityType} is missing in db/models/entities.ts`);
      }
    }
  });

  it('names permissions that exist', () => {
    const owner = ROLES.owner.permissions as ReadonlySet<string>;
    for (const [type, { access, privateFields }] of ENTITIES) {
      const needed = access === 'own' || access?.startsWith('subject') ? [] : [String(access)];
      for (const permission of [...needed, ...Object.values(privateFields)])
        assert.ok(owner.has(permission), `${type}: ${permission}`);
    }
  });

  it('is the types of their permissions, without private members', () => {
    const viewer = ROLES.viewer.permissions;
    assert.deepEqual(
      ['Employee', 'Payroll', 'Item', 'Task', 'Comment', 'Nothing'].map((type) => canRead(viewer, type)),
      [true, false, true, false, false, false],
    );
    assert.deepEqual([canRead(viewer, 'Employee', 'name'), canRead(viewer, 'Employee', 'nif')], [true, false]);
    assert.ok(canRead(ROLES.hr.permissions, 'Employee', 'nif'));
    assert.ok(readableTypes(viewer).includes('Absence'));
    assert.ok(!readableTypes(viewer, 'attachments').includes('Absence'));
    assert.ok(readableTypes(viewer, 'attachments').includes('Item'));
  });

  it('is everything for who may read everything, but what belongs to a person or a record', () => {
    const rest = [...ENTITIES.keys()].filter((type) => !readableTypes(new Set(READ_PERMISSIONS)).includes(type));
    const apart = rest.every((type) => /^(own|subject)/.test(String(ENTITIES.get(type)?.access)));
    assert.ok(apart, rest.join());
  });

  it('shows private members as null', () => {
    const row = { id: '1', employeeId: '2', notes: 'Migraine' };
    const hidden = shownTo(Absence, new Set());
    assert.deepEqual(hidden.toJson(row), { ...row, notes: null });
    assert.deepEqual(hidden.toJson({ id: '1', employee_id: '2', notes: 'Migraine' }), { ...row, notes: null });
    assert.deepEqual(Absence.toJson(row), row);
    assert.equal(shownTo(Absence, new Set()), hidden);
    assert.equal(shownTo(Absence, new Set([PRIVATE])), Absence);
    assert.equal(shownTo(Employee, new Set()).toJson({ nif: '12345678Z', name: 'Ana' }).nif, null);
  });

  it('tells on which member of a record it depends', () => {
    assert.deepEqual([subjectMember('subject'), subjectMember('subject.attachments')], [undefined, 'attachments']);
  });
});
