import assert from 'node:assert/strict';
import { leadsSomewhere } from '../../../../domain/platform/conditions/shapes.ts';

const SHAPE = {
  properties: {
    dueDate: {},
    partner: { properties: { name: {} }, patternProperties: { '^custom_': {} } },
    lines: { items: { properties: { quantity: {} } } },
  },
};

describe('paths into data of a known form', () => {
  it('lead somewhere by names of members, in snake_case too, by numbers of entries and by patterns', () => {
    for (const path of [
      'dueDate',
      'due_date',
      'partner.name',
      'partner.custom_route',
      'lines.quantity',
      'lines.0.quantity',
      'lines',
    ]) {
      assert.ok(leadsSomewhere(SHAPE, path), path);
    }
  });

  it('lead nowhere else', () => {
    for (const path of [
      'due',
      'partner.nmae',
      'dueDate.year',
      'lines.price',
      'lines.0.1',
      'toString',
      'constructor.name',
    ]) {
      assert.ok(!leadsSomewhere(SHAPE, path), path);
    }
  });
});
