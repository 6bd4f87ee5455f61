/** Reads what employees have declared about themselves (model 145), for model 190. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { countFamily, type DeclaredFamily, type FamilyCounts } from '../../../domain/ledger/tax-returns/family190.ts';

/** Members that returns filed before they were read do not have. */
interface Later {
  readonly needsHelp: boolean;
  readonly spouseNif: string | null;
  readonly geographicMobility: boolean;
  readonly ceutaOrMelilla: boolean;
  /** 1: of a year or more, 2: shorter, 3: special relation. */
  readonly contract: 1 | 2 | 3;
  readonly family: FamilyCounts;
}

export interface EmployeeTaxData extends Partial<Later> {
  readonly employeeId: string;
  readonly familySituation: number;
  readonly children: number;
  readonly birthYear: number | null;
  readonly disability: number;
  /** How many. */
  readonly ascendants: number;
}

type Declared = Omit<EmployeeTaxData & Later, 'ascendants' | 'family'> & DeclaredFamily;

/** An employment is shorter than a year as in the computation of the tax (RIRPF, art. 86.2). */
const SQL = `select t.employee_id as "employeeId", t.family_situation as "familySituation", t.children,
    t.children_under_three as "childrenUnderThree", t.children_in_full as "childrenInFull", t.birth_year as "birthYear", t.disability,
    t.needs_help as "needsHelp", t.disabled_children as "disabledChildren", t.ascendants, t.spouse_nif as "spouseNif",
    t.geographic_mobility as "geographicMobility", t.ceuta_or_melilla as "ceutaOrMelilla",
    case when t.withholding = 'special_relation' then 3
      when c.contract_type <> 'indefinite' and coalesce(e.end_date, c."to") < (e.hire_date + interval '1 year')::date - 1 then 2
      else 1 end as contract
  from employee_tax_data t
  join employees e on e.id = t.employee_id
  left join lateral (
    select k.contract_type, k."to" from employee_contracts k
    where k.employee_id = t.employee_id and k."from" <= :to::date order by k."from" desc limit 1
  ) c on true
  where t.employee_id = any(:ids::uuid[])`;

/**
 * @param to last day of the year
 * @returns the data of those who have declared any, by their ids
 */
export async function readEmployeeTaxData(
  reader: Reader,
  ids: readonly string[],
  to: string,
): Promise<ReadonlyMap<string, EmployeeTaxData>> {
  const found = await query<Declared>(reader, SQL, { ids, to });
  const year = Number(to.slice(0, 4));
  return new Map(found.map((each) => [each.employeeId, counted(each, year)]));
}

function counted(declared: Declared, year: number): EmployeeTaxData {
  const { childrenUnderThree, childrenInFull, disabledChildren, ascendants, ...rest } = declared;
  return { ...rest, ascendants: ascendants.length, family: countFamily(declared, year) };
}
