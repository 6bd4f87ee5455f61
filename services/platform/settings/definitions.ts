/** The settings of a company with their defaults, each stored as one value. */

import type { DebtAge } from '../../../domain/ledger/accounting/bad-debts.ts';
import { DEFAULT_CHART } from '../../../domain/ledger/accounting/charts/index.ts';
import { ACCOUNT_ROLES, type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import type { TaxSet } from '../../../domain/trade/documents/tax-sets.ts';

/** An uploaded logo; its bytes are a file (services/platform/settings/logo.ts). */
export interface UploadedLogo {
  readonly contentType: string;
  /** In bytes. */
  readonly size: number;
  readonly uploadedAt: string;
}

export interface CompanySettings {
  readonly name: string;
  readonly taxId: string;
  readonly address: string | null;
  readonly city: string | null;
  readonly zipCode: string | null;
  /** ISO 3166 code of two letters. */
  readonly country: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly website: string | null;
  readonly logoUrl: string | null;
  /** Set by uploading a file, not with the other members. */
  readonly logo?: UploadedLogo | undefined;
  /** The indirect tax that it charges. */
  readonly taxSet: TaxSet;
  /** ISO 4217 code of three letters. */
  readonly currency: string;
  /** MM-DD */
  readonly fiscalYearStart: string;
}

export interface FormatSettings {
  readonly locale: string;
  readonly dateFormat: string;
  /** Decimals of amounts. */
  readonly decimalPrecision: number;
  /** Decimals of quantities. */
  readonly quantityPrecision: number;
  /** IANA time zone, in which the company's days begin and end. */
  readonly timezone: string;
}

export interface FlagSettings {
  readonly allowNegativeStock: boolean;
  readonly autoConfirmBatches: boolean;
  readonly watermarkDraft: boolean;
  readonly confirmBeforeCancel: boolean;
  readonly enforceWarehouseZones: boolean;
  readonly allowOverDelivery: boolean;
  /** Reaction when a customer would exceed their credit limit: none, a warning, or a refusal. */
  readonly creditLimit: 'off' | 'warn' | 'block';
}

export interface BrandingSettings {
  readonly colorPrimary: string;
  readonly colorAccent: string;
  readonly logoUrl: string;
  /** The company's logo. */
  readonly logo?: UploadedLogo | undefined;
  readonly appName: string;
  readonly fontFamily: 'sans' | 'serif' | 'mono';
  readonly themeMode: 'light' | 'dark';
}

/** Accounts by role; null for those of the company's chart (domain/ledger/accounting/charts). */
export type AccountingSettings = Readonly<Record<ReturnType<typeof roleMember>, string | null>> & {
  /** Code of the chart of accounts, which says the usual accounts of roles and the headings of reports. */
  readonly chart: string;
  /** Whether differences found by a count are entered as stock variation (610/300) immediately, not only at the end of the year. */
  readonly stockCountEntries: boolean;
  /** Whether notes are entered when they are created (600/4009, 4309/700), instead of entering uninvoiced amounts when a year is closed. */
  readonly noteEntries: boolean;
  /** Whether the service enters the depreciation of each month that is over (decision 0355). */
  readonly automaticDepreciation: boolean;
  /** For document lines that nothing else gives one, and for what the service enters by itself on accounts that require one. */
  readonly defaultCostCenterId: string | null;
  readonly defaultProjectId: string | null;
};

export interface PaymentSettings {
  /** Maximum difference of a payment that may be written off, in the company's currency. */
  readonly writeOffLimit: number;
  /** Proposed provisions for debts by how long they are overdue. */
  readonly debtAges: readonly DebtAge[];
}

/** Settings that affect tax returns and deductions, in addition to the documents. */
export interface TaxSettings {
  readonly taxpayer: 'company' | 'sole_trader';
  readonly estimation: 'simplified' | 'normal';
  /** Whether the company itself is a retailer under the equivalence surcharge, whose VAT paid is part of its costs (LIVA, art. 154). */
  readonly surchargeRegime: boolean;
  /** Deductible percentage of the VAT paid (LIVA, art. 104); provisional until the year is regularised (decision 0160). */
  readonly proRata: number;
  /** `special` excludes lines with their own percentage (LIVA, art. 106). */
  readonly proRataKind: 'general' | 'special';
  /** Calendar years in which the company is under the cash basis (LIVA, art. 163 nonies; decision 0345). */
  readonly cashBasisYears: readonly number[];
  /** The day from which sales to consumers in other member states are under the Union scheme (OSS); null: they never are. */
  readonly ossFrom: string | null;
  /** Whether the company is in the register of monthly refunds (REDEME; RIVA, art. 30). */
  readonly monthlyRefunds: boolean;
  /** Percentage of the turnover taxed by the state rather than by provinces with their own taxes. */
  readonly stateShare: number;
  /** Net income by calendar year, for years that the ledger does not have; a single number is for any of them. */
  readonly priorYearNetIncome: number | Readonly<Record<string, number>>;
  readonly homeLoan: boolean;
  /** For lines without an item; null means the general rate. */
  readonly defaultSalesTaxGroupId: string | null;
  readonly defaultPurchaseTaxGroupId: string | null;
}

export interface PayrollSettings {
  /** The company's social security account (código de cuenta de cotización), shown on payslips. */
  readonly contributionAccount: string | null;
}

/** Named as automations are, in snake_case. */
export interface AutomationSettings {
  /** Maximum runs of all rules of the company per day. */
  readonly max_runs_per_day: number;
}

/** Companies that keep their VAT books at the agency, and those with foral tax agencies. */
export const OUTSIDE = ['sii', 'basque_country', 'navarre'] as const;

/** Records of issued invoices for the tax agency. */
export interface VerifactuSettings {
  readonly enabled: boolean;
  /** Where records are sent, and invoices looked up. */
  readonly environment: 'test' | 'production';
  /** Why the company needs no records (RD 1007/2023, art. 3); null if it does. */
  readonly outside: (typeof OUTSIDE)[number] | null;
  /** From when it must make them; null for the date of the law, which may move. */
  readonly mandatoryFrom: string | null;
  /** Last day on which records are sent, which messages tell: 31 December; null for no end. */
  readonly endsOn: string | null;
  /** The most that an invoice without the customer's tax id may be of, with taxes (RD 1619/2012, art. 4). */
  readonly simplifiedLimit: number;
}

/** Invoices to public bodies through FACe. */
export interface FaceSettings {
  readonly environment: 'test' | 'production';
  /** Address to which FACe reports; null for the company's. */
  readonly email: string | null;
}

export interface SettingsByName {
  readonly company: CompanySettings;
  readonly format: FormatSettings;
  readonly flags: FlagSettings;
  readonly branding: BrandingSettings;
  readonly accounting: AccountingSettings;
  readonly payments: PaymentSettings;
  readonly tax: TaxSettings;
  readonly payroll: PayrollSettings;
  readonly automations: AutomationSettings;
  readonly verifactu: VerifactuSettings;
  readonly face: FaceSettings;
}

export type SettingsName = keyof SettingsByName;

/** Values of members that were never set, or were left out of a PUT. */
export const DEFAULT_SETTINGS: SettingsByName = {
  company: {
    name: '',
    taxId: '',
    address: null,
    city: null,
    zipCode: null,
    country: 'ES',
    email: null,
    phone: null,
    website: null,
    logoUrl: null,
    logo: undefined,
    taxSet: 'vat',
    currency: 'EUR',
    fiscalYearStart: '01-01',
  },
  format: {
    locale: 'es-ES',
    dateFormat: 'dd/MM/yyyy',
    decimalPrecision: 2,
    quantityPrecision: 2,
    timezone: 'Europe/Madrid',
  },
  flags: {
    allowNegativeStock: false,
    autoConfirmBatches: false,
    watermarkDraft: true,
    confirmBeforeCancel: true,
    enforceWarehouseZones: false,
    allowOverDelivery: false,
    creditLimit: 'warn',
  },
  branding: {
    colorPrimary: '#2563eb',
    colorAccent: '#10b981',
    logoUrl: '',
    logo: undefined,
    appName: 'Business Management',
    fontFamily: 'sans',
    themeMode: 'light',
  },
  accounting: {
    ...(Object.fromEntries(
      (Object.keys(ACCOUNT_ROLES) as AccountRole[]).map((role) => [roleMember(role), null]),
    ) as Record<ReturnType<typeof roleMember>, null>),
    chart: DEFAULT_CHART.code,
    stockCountEntries: true,
    noteEntries: false,
    automaticDepreciation: false,
    defaultCostCenterId: null,
    defaultProjectId: null,
  },
  payments: {
    writeOffLimit: 1,
    // Since when a provision is deductible: LIS, article 13.1.a.
    debtAges: [{ months: 6, percent: 100 }],
  },
  tax: {
    taxpayer: 'company',
    estimation: 'simplified',
    surchargeRegime: false,
    proRata: 100,
    proRataKind: 'general',
    cashBasisYears: [],
    ossFrom: null,
    monthlyRefunds: false,
    stateShare: 100,
    priorYearNetIncome: {},
    homeLoan: false,
    defaultSalesTaxGroupId: null,
    defaultPurchaseTaxGroupId: null,
  },
  payroll: {
    contributionAccount: null,
  },
  // One each minute for five rules, and room for events.
  automations: {
    max_runs_per_day: 10_000,
  },
  verifactu: {
    enabled: false,
    environment: 'test',
    outside: null,
    mandatoryFrom: null,
    endsOn: null,
    simplifiedLimit: 400,
  },
  face: { environment: 'test', email: null },
};
