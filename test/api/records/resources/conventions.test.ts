/**
 * Every declared resource keeps the same conventions: these checks come from the declarations alone, so a new resource is
 * checked as soon as it is declared. What is special about one is tested elsewhere.
 */
import { RESOURCES } from '../../../../services/records/master-data/index.ts';
import type { Made } from '../../../helpers/resource-bodies.ts';
import { checkReads } from './reads.ts';
import { checkRefusals } from './refusals.ts';
import { checkSentBack } from './sent-back.ts';
import { startWorld, type World } from './world.ts';
import { checkWrites } from './writes.ts';

describe('every declared resource', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world?.app.stop());

  for (const declaration of RESOURCES) {
    describe(declaration.path, () => {
      let full: Made;
      let least: Made;
      let foreign: Made;
      before(async () => {
        full = await world.mine.create(declaration, 'all');
        least = await world.mine.create(declaration, 'required', {}, full.listPath);
        foreign = await world.other.create(declaration, 'all');
      });

      const subject = {
        declaration,
        world: () => world,
        full: () => full,
        least: () => least,
        foreign: () => foreign,
      };
      checkWrites(subject);
      checkReads(subject);
      checkRefusals(subject);
      checkSentBack(subject);
    });
  }
});
