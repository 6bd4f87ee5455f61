/** The schemas of conditions in webhook filters and automation rules. */
import { type TSchema, Type } from 'typebox';
import { OPERATORS } from '../../../domain/platform/conditions/conditions.ts';
import {
  type Conditions as AnyConditions,
  MAX_CONDITIONS,
  MAX_DEPTH,
} from '../../../domain/platform/conditions/groups.ts';
import { choice, text } from './schemas.ts';

const members = {
  field: text({
    description: 'Path into the data, such as total, partner_name, document.partner.name or linked_documents.type',
  }),
  operator: choice(OPERATORS),
  value: Type.Unknown({
    description:
      'A text, a number, true, false or null; a list of them for in and not_in, two of them for between; none for is_empty and not_empty',
  }),
  value_field: text({ description: 'Path in the same data, whose value is compared in place of `value`' }),
};
const { field, operator, value, value_field } = members;

export const Condition = Type.Object(
  { field, operator, value: Type.Optional(value), value_field: Type.Optional(value_field) },
  { additionalProperties: false, title: 'Condition' },
);

/** Titles of entries, the outermost first. */
const ENTRY_TITLES = ['ConditionEntry', 'GroupedConditionEntry', 'InnerConditionEntry', 'InnermostConditionEntry'];

/** A condition, or a group of entries; one level is described with those below it. Which of both it is, and how deep, the rules check. */
function entrySchema(levels: number): TSchema {
  const list =
    levels === 0
      ? { type: 'array', items: {} }
      : { type: 'array', items: entrySchema(levels - 1), maxItems: MAX_CONDITIONS };
  const group = {
    all: { ...list, description: 'All of these must hold' },
    any: { ...list, description: 'One of these must hold' },
  };
  return Type.Unsafe({
    title: ENTRY_TITLES[MAX_DEPTH - levels],
    type: 'object',
    properties: { ...members, ...group },
    additionalProperties: false,
    description: 'A condition, or a group of conditions and groups',
  });
}

/** Conditions in groups: a list, all of which must hold, or a group. */
export const Conditions = Type.Unsafe<AnyConditions>({
  type: ['array', 'object'],
  items: entrySchema(MAX_DEPTH),
  maxItems: MAX_CONDITIONS,
  properties: {
    all: {
      type: 'array',
      items: entrySchema(MAX_DEPTH - 1),
      maxItems: MAX_CONDITIONS,
      description: 'All of these must hold',
    },
    any: {
      type: 'array',
      items: entrySchema(MAX_DEPTH - 1),
      maxItems: MAX_CONDITIONS,
      description: 'One of these must hold',
    },
  },
  additionalProperties: false,
  description:
    `A list, all of which must hold, or \`{"any": […]}\` or \`{"all": […]}\`, within each other up to ${MAX_DEPTH} levels; ` +
    `at most ${MAX_CONDITIONS} conditions. None: it always runs`,
});
