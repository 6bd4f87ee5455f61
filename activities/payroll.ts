/** Payrolls of a month, as tasks. */
import { percentDone } from '../domain/tasks.ts';
import { generateForTask } from '../services/payroll/generate.ts';
import { mailForTask } from '../services/payroll/payslip-mails.ts';
import type { TaskInput, TaskPart } from '../workflows/tasks/contract.ts';
import { asActivityFailure } from './failures.ts';
import { type ResultDeps, runTask } from './tasks.ts';

export interface PayrollActivities {
  /** Some of a month's payrolls, in transactions that each record how far it has come. */
  generatePayrolls(input: TaskInput): Promise<TaskPart>;
  /** Queues some of a month's payslips, in such transactions. */
  mailPayslips(input: TaskInput): Promise<TaskPart>;
}

export function createPayrollActivities(deps: ResultDeps): PayrollActivities {
  const { database, links } = deps;
  /** Does a part of a task, with its progress. */
  const inPart = async (input: TaskInput, work: typeof generateForTask, things: string): Promise<TaskPart> => {
    try {
      const outcome = await runTask(deps, input, async ({ task, ctx, now, report, turnIsOver, throwIfCancelled }) => {
        throwIfCancelled();
        const progress = (done: number, total: number) =>
          report(percentDone(done, total), `${done} of ${total} ${things}`);
        await work(database, ctx, now, { task, links }, progress, turnIsOver);
      });
      return outcome === null ? { more: true } : { more: false, outcome };
    } catch (error) {
      throw asActivityFailure(error);
    }
  };
  return {
    generatePayrolls: (input) => inPart(input, generateForTask, 'employees'),
    mailPayslips: (input) => inPart(input, mailForTask, 'payslips'),
  };
}
