import { setFlagsFromString } from 'node:v8';

/*
 * How V8 keeps memory for this program, told before the rest of it is loaded.
 *
 * V8 watches which places in the code make objects that live on, and has those places make them old from the start.
 * Under load what lives on is what waits for the service, so that calls and pages come to be made old. They die as soon as
 * others, but nobody clears them away until the next full collection; meanwhile they keep alive, and have copied, all the
 * young objects that they point to. That was an eighth of the processor's time, and a third of the memory.
 */
setFlagsFromString('--no-allocation-site-pretenuring');

/*
 * By how much old objects may grow before a full collection, in percent, and by what V8 adds for the young ones. Without
 * pretenuring they grow by a few kilobytes a request; left alone V8 would let them become four times as many. What
 * answers weigh outside the heap counts as growth: too few percent mean a collection every few lists.
 */
const isSet = process.execArgv.some((argument) => argument.startsWith('--heap-growing-percent'));
if (!isSet) setFlagsFromString('--heap-growing-percent=40');
