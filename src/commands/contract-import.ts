import { writeFileSync } from 'node:fs';
import { writeCases } from '../contract-tools/cases/starter-cases.ts';
import { isComplete, openVendorFile, printImport } from '../contract-tools/import/import.ts';
import { createProgress, isSameFile, printReport } from './command-line.ts';
import type { CommandLine } from './usage.ts';
import { writeOverrides } from '../contract-tools/report.ts';

/** `settlement-graph contract import FILE`: 0 where all operations are found, else 1. */
export async function importCommand({ file, values }: CommandLine): Promise<number> {
  for (const target of [values.write, values.cases])
    if (target !== undefined && isSameFile(target, file))
      throw new Error(`${target}: is the vendor's file; allowed: another one.`);
  const progress = createProgress();
  progress.show(`reading ${file}`);
  const importing = openVendorFile(file).then((vendorFile) => {
    progress.show(`${file} is read: looking for operations and rows`);
    return vendorFile.import(values.map ?? []);
  });
  const result = await importing.finally(progress.end);
  const { samples: _samples, contract: _contract, ...report } = result;
  printReport(values.json === true ? report : printImport(result, values.verbose === true));
  if (values.write !== undefined)
    writeFileSync(values.write, writeOverrides(result.rows, result.comments, 'contract import'));
  if (values.cases !== undefined) await writeCases(values.cases, result.samples, result.contract);
  return isComplete(result) ? 0 : 1;
}
