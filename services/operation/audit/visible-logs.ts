/** Which records of the audit log a reader sees, and which values in them: those of the records that they may read (decision 0230). */
import { ENTITIES } from '../../../db/models/entities.ts';
import { either, type Fragment, fragment } from '../../../db/queries/fragments.ts';
import { isAdministrator, READ_PERMISSIONS } from '../../../domain/permissions.ts';
import { hiddenMembers, type Permissions, readableTypes, subjectMember } from '../../platform/visibility/reading.ts';

/** A reader of the audit log. */
export interface LogReader {
  readonly userId: string | null;
  /** As in `Context`. */
  readonly actor: string | null;
  readonly role: string;
  readonly permissions: Permissions;
}

type Values = Readonly<Record<string, unknown>>;

const MASK = '***';

const OWN = typesWith((access) => access === 'own');
const BELONGING = typesWith((access) => access?.startsWith('subject') === true);

function typesWith(fits: (access: string | undefined) => boolean): string[] {
  return [...ENTITIES].filter(([, { access }]) => fits(access)).map(([entityType]) => entityType);
}

/**
 * The condition that limits a query of `audit_logs` to the records that the reader may read. Of what is a person's own, they see the
 * changes that they made; administrators see all.
 * @param asked types that the query asks for anyway; all by default. PostgreSQL cannot tell that none of them is readable, and would read
 * the whole log.
 */
export function visibleLogs({ userId, actor, role, permissions }: LogReader, asked?: readonly string[]): Fragment {
  const open = readableTypes(permissions);
  // One comparison, which an index serves, for those who read everything.
  const readsAll = isAdministrator(role) && READ_PERMISSIONS.every((permission) => permissions.has(permission));
  if (readsAll) return ofTypes([...ENTITIES.keys()]);
  const among = (types: readonly string[]) => types.filter((type) => asked?.includes(type) ?? true);
  const mine = userId === null ? fragment('actor = ?', actor) : fragment('user_id = ?', userId);
  const [own, belonging] = [among(OWN), among(BELONGING)];
  return either([
    ofTypes(among(isAdministrator(role) ? [...open, ...OWN] : open)),
    ...(isAdministrator(role) || own.length === 0 ? [] : [all(ofTypes(own), mine)]),
    ...belonging.map((type) => {
      const subjects = readableTypes(permissions, subjectMember(ENTITIES.get(type)?.access));
      const subject = fragment(`coalesce(new_value, old_value) ->> 'entityType' = any(?)`, subjects);
      return all(fragment('entity_type = ?', type), subject);
    }),
  ]);
}

function ofTypes(types: readonly string[]): Fragment {
  return types.length === 0 ? fragment('false') : fragment('entity_type = any(?)', types);
}

function all(one: Fragment, other: Fragment): Fragment {
  return fragment(`(${one.sql} and ${other.sql})`, ...one.values, ...other.values);
}

/** The values of a record, with masks for secrets and for members that the reader may not see; the names stay visible. */
export function visibleValues(entityType: string, values: Values | null, permissions: Permissions): Values | null {
  const entity = ENTITIES.get(entityType);
  if (values === null || entity === undefined) return null;
  const hidden = hiddenMembers(entity.privateFields, permissions);
  const members = Object.entries(entity.maskSecrets({ ...values }));
  return Object.fromEntries(members.map(([name, value]) => [name, hidden.includes(name) ? MASK : value]));
}
