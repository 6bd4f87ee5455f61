/** Random sequences of commands, those of everyday more often than others. */
import fc from 'fast-check';
import { Act, Patch } from './changes.ts';
import { Create, Follow, GoOn, type Step, TakeBack } from './commands.ts';
import { isInvoice, isOrder, type Type } from './paper.ts';
import { SPOTS } from './site.ts';
import { Count, Transfer } from './stock-commands.ts';
import { seldom, share, someItem, way, wish } from './wishes.ts';

const which = fc.nat(11);
const spot = fc.nat(SPOTS.length - 1);
const batch = fc.nat(3);

const create = (...types: Type[]) =>
  fc
    .tuple(fc.constantFrom(...types), fc.array(wish, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map((parts) => new Create(...parts));
const follow = (...types: Type[]) =>
  fc.tuple(fc.constantFrom(...types), which, share, way, fc.boolean()).map((parts) => new Follow(...parts));
const takeBack = (step: 'return' | 'rectify') =>
  fc.tuple(which, fc.option(share), fc.boolean(), fc.boolean()).map((parts) => new TakeBack(step, ...parts));

const edit = fc.record({
  quarters: fc.option(fc.nat(24), { freq: 2 }),
  price: seldom(fc.integer({ min: -300, max: 2000 })),
});
const patch = fc
  .tuple(which, fc.array(edit, { minLength: 1, maxLength: 3 }), fc.array(wish, { maxLength: 2 }), way)
  .map((parts) => new Patch(...parts));

const COMMANDS: fc.Arbitrary<Step>[] = [
  create('SO', 'PO'),
  create('PDN', 'SDN'),
  create('SINV', 'PINV'),
  follow('SDN', 'PDN'),
  follow('SDN', 'PDN', 'SINV', 'PINV'),
  follow('SINV', 'PINV'),
  fc.tuple(which, fc.boolean(), fc.boolean()).map((parts) => new GoOn(...parts)),
  takeBack('return'),
  takeBack('rectify'),
  takeBack('rectify'),
  patch,
  patch,
  which.map((index) => new Act('post', index, isInvoice)),
  which.map((index) => new Act('post', index)),
  which.map((index) => new Act('cancel', index)),
  which.map((index) => new Act('close', index, isOrder)),
  which.map((index) => new Act('remove', index)),
  which.map((index) => new Act('duplicate', index)),
  fc.tuple(someItem, fc.nat(60), spot, batch).map((parts) => new Count(...parts)),
  fc.tuple(fc.nat(11), fc.integer({ min: 1, max: 16 }), spot, fc.boolean()).map((parts) => new Transfer(...parts)),
];

/** Generates sequences of any length up to the maximum with equal probability: a bias would prefer short ones, where little happens. */
export function sequences(longest: number) {
  return fc.noBias(fc.commands(COMMANDS, { maxCommands: longest, size: 'max' }));
}
