/** Activities of the tasks for a month's payrolls and payslips. */
import { percentDone } from '../../domain/platform/tasks.ts';
import { generatePayrollsForTask } from '../../services/staff/payroll/generate.ts';
import { mailPayslipsForTask } from '../../services/staff/payroll/payslip-mails.ts';
import type { TaskInput, TaskPart } from '../../workflows/platform/tasks/contract.ts';
import { asActivityFailure } from '../failures.ts';
import { type ResultDeps, runTask } from '../platform/tasks.ts';

export interface PayrollActivities {
  /** Generates some of a month's payrolls, recording progress in each transaction. */
  generatePayrolls(input: TaskInput): Promise<TaskPart>;
  /** Queues some of a month's payslips, recording progress in each transaction. */
  mailPayslips(input: TaskInput): Promise<TaskPart>;
}

export function createPayrollActivities(deps: ResultDeps): PayrollActivities {
  const { database, links } = deps;
  /** Runs a part of a task and reports its progress. */
  const inPart = async (input: TaskInput, work: typeof generatePayrollsForTask, things: string): Promise<TaskPart> => {
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
    generatePayrolls: (input) => inPart(input, generatePayrollsForTask, 'employees'),
    mailPayslips: (input) => inPart(input, mailPayslipsForTask, 'payslips'),
  };
}
