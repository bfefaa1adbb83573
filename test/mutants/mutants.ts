/** One deliberate fault of the source: its tests must notice it. */
export interface Mutant {
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** The files of tests that must notice it: few and quick ones. */
  readonly tests: readonly string[];
  /** Why none can notice it, where none does. */
  readonly survives?: string;
}

type Fault = readonly [find: string, replace: string, survives?: string];

/** Mutants of one file under `src` that the same tests must notice. */
function of(file: string, tests: readonly string[], faults: readonly Fault[]): readonly Mutant[] {
  return faults.map(([find, replace, survives]) => ({
    file: `src/${file}.ts`,
    find,
    replace,
    tests: tests.map((test) => `test/${test}.test.ts`),
    ...(survives === undefined ? {} : { survives }),
  }));
}

// prettier-ignore
const credentials: readonly Mutant[] = [
  ...of('upstream/credentials/credentials', ['gateway/credentials'], [
    ['if (value === undefined) {', 'if (value === null) {'],
    ['if (credentials.rejected.includes(name)) throw rejectionError(credentials, operation, [name]);', ''],
    ['if (!isAhead) credentials.rejected.push(...names.filter((name) => !credentials.rejected.includes(name)));', ''],
    ['rejected.length > 0 && names.some(', 'rejected.length > 0 && names.every('],
    ["names.includes('privateKey') ? callers.privateKey", 'names.length > 9 ? callers.privateKey'],
    ['&& !keyOfBearer.has(token)) keyOfBearer', ') keyOfBearer'],
    ['bearer: keyOfBearer.get(token) ?? token }', 'bearer: token }'],
    ['digest(JSON.stringify([privateKey, bearer]))', 'digest(JSON.stringify([privateKey]))'],
    ['.update(text).digest', ".update('').digest"],
  ]),
  ...of('upstream/calls/attempt', ['gateway/credentials'], [
    ['...names.flatMap((name) => [headerNames', "...(['bearer', 'privateKey'] as const).flatMap((name) => [headerNames"],
    ['requireCredentials(credentials, operation);', ''],
    ['return !isRejected(this.scope.credentials, this.operation);', 'return true;'],
    ['if (isRejected(scope.credentials, operation)) return', 'if (scope === undefined) return'],
  ]),
  ...of('upstream/connect', ['gateway/wire'], [['privateKey: config.privateKeyHeader };', "privateKey: 'SVCPRIVATEKEY' };"]]),
  ...of('upstream/calls/write', ['gateway/credentials'], [['requireCredentials(scope.credentials, operation);', '']]),
  ...of('graphql/apollo-server', ['gateway/http'], [['csrfPrevention: true', 'csrfPrevention: false']]),
  ...of('graphql/context', ['gateway/credentials', 'gateway/idempotency'], [
    ['values.length === 1 &&', 'values.length >= 1 &&'],
    ['&& value.length <= maxCredentialBytes', ''],
    ['/^Bearer ([\\x21-\\x7e]+)$/i', '/^Bearer (.+)$/i'],
    ['/^Bearer ([\\x21-\\x7e]+)$/i', '/^(?:Bearer )?([\\x21-\\x7e]+)$/i'],
    ['/^([\\x21-\\x7e]+)$/', '/^(.+)$/'],
    ['return { header, value: scheme + token,', 'return { header, value,'],
  ]),
  ...of('http/malformed-requests', ['gateway/http'], [
    ['.findLast(({ req }) => req.complete)', '.at(-1)'],
    ['hosts > 1 || ', ''],
    [" && raw.httpVersion === '1.1'", ''],
    ['expectations.some(', 'expectations.length > 0 && expectations.every('],
  ]),
  ...of('http/header-lines', ['gateway/credentials'], [
    ['?.toLowerCase() === name', ' === name'],
    ['at % 2 === 1 && ', ''],
    ['return lines.length === 0 ? undefined : lines;', 'return lines.slice(0, 1);'],
  ]),
  ...of('http/router-secret', ['gateway/trusted-documents'], [
    ['timingSafeEqual(digest(value), expected)', 'value.length === secret.length'],
    ['if (secret === undefined) return () => false;', 'if (secret === undefined) return () => true;'],
    ['value !== undefined && timingSafeEqual', 'value === undefined || timingSafeEqual'],
    ['if (isRefused && isRouter(request))', 'if (isRefused)'],
    ["('x-router-secret')?.join(', ')", "('x-router-secret')?.[0]"],
  ]),
  ...of('http/bodies/json-body', ['gateway/http'], [
    ['if (!isPlainUtf8(request))', 'if (body.length < 0)'],
    ['else if (!isUtf8(body))', 'else if (body.length < 0)'],
  ]),
  ...of('http/bodies/unread-bodies', ['gateway/unread-bodies'], [
    ['const bytesPerChunk = 256', 'const bytesPerChunk = 0'],
    ['if (body.bytes < averageBytes) continue;', ''],
  ]),
  ...of('http/overload-protection', ['gateway/admission'], [
    [' && delayed < maxDelayed', ''],
    ['setImmediate(places.leave, caller)', 'places.leave(caller)'],
    ['const maxPerCaller = 250;', 'const maxPerCaller = 100_000;'],
  ]),
  ...of('http/router-secret', ['gateway/admission'], [
    ['new Set([400, 413])', 'new Set([400, 413, 503])'],
  ]),
  ...of('http/persisted-queries', ['gateway/trusted-documents'], [
    ['documents.texts.has(query) ||', 'documents.byHash.size > 0 ||'],
    ['|| isRouter(request)', ''],
    ['new URLSearchParams(searchOf(request))', "new URL(request.raw.url ?? '', 'http://gateway').searchParams"],
    ['if (acceptsAny(request) || isPageRequest(request)) return;', 'return;'],
    ['|| isPageRequest(request)', ''],
    ['if (acceptsAny(request) || isPageRequest', 'if (isPageRequest'],
    ["if (text === undefined) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND');", ''],
  ]),
  ...of('http/trusted-documents-file', ['gateway/trusted-documents'], [
    ["hash('sha256', body, 'hex') === id", "hash('sha256', body, 'hex').length === id.length"],
  ]),
  ...of('http/cors', ['gateway/http'], [
    ["...(isProduction ? [] : [privateKeyHeaderIn, 'x-explain'])", 'privateKeyHeaderIn'],
    ['allowedOrigins === undefined ? isDevelopmentOrigin(origin) :', ''],
    ['if (isProduction && origins.size === 0) return;', ''],
  ]),
];

// prettier-ignore
const money: readonly Mutant[] = [
  ...of('contract/money', ['upstream/values', 'upstream/amounts'], [
    ['if (fraction.length > places) return undefined;', ''],
    ["? whole + fraction.padEnd(places, '0') : whole;", '? whole + fraction : whole;'],
    ['return /[1-9]/.test(all) ? sign + amount : amount;', 'return sign + amount;'],
    ["unit === 'major' && places === 2 && twoPlaces", "unit === 'major' && twoPlaces"],
    ["if (unit === 'major' && places === 2", 'if (places === 2'],
    ["if (unit === 'major') return amount;", ''],
    ['(?:0|[1-9]\\d{0,29})\\.', '\\d{1,30}\\.'],
    ["replace(/^0+(?=\\d)/, '')", "replace(/^0+(?=\\d\\d)/, '')"],
    ['all.slice(0, -places)}.${all.slice(-places)', 'all.slice(0, -2)}.${all.slice(-2)'],
  ]),
  ...of('contract/money', ['gateway/money'], [
    ['&& source === last.source', ''],
  ]),
  ...of('upstream/decoding/exact-json', ['upstream/values'], [
    [".replace(/^\\uFEFF/, '')", ''],
    ['return count > 15 ?', 'return count > 16 ?'],
    ['const longLength = 16;', 'const longLength = 18;'],
    ['if (to - from >= longLength) return true;', 'if (to - from > longLength) return true;'],
    ['&& !isDigitOrPoint(body[crossed + longLength / 2])', ''],
    ['value.isWellFormed() ? value : brokenText;', 'value;'],
  ]),
  ...of('upstream/decoding/wire-money', ['gateway/money', 'upstream/amounts'], [
    ["direction === 'CREDIT' && isNegative ? 'UNKNOWN'", "direction === 'CREDIT' && direction === undefined ? 'UNKNOWN'"],
    ["isTurned || isCredit === isDebit ||", 'isTurned ||'],
    ["isNegative ? 'DEBIT' : 'UNKNOWN'", "'UNKNOWN'"],
    ['&& /[1-9]/.test(amount)', ''],
    ['text.toLowerCase().split(', 'text.split('],
    ['major.read(source) ?? minor.read(source)', 'major.read(source)'],
    ['amount: money.amount.slice(1)', 'amount: money.amount'],
    ['(amount !== undefined && amount !== exact)', 'amount === null'],
    ["if (unit === null && minorValue === undefined) return undecidedError(location.operation, 'money.unit');", ''],
    ["if (currencyText === null) return undecidedError(location.operation, 'money.currency');", ''],
    ["mappedCurrency ?? decided", "decided"],
    ["toAmount(amountText(minorValue), 'minor', places)", "toAmount(amountText(minorValue), unit ?? 'minor', places)"],
    ["(!mayBeNegative && amount.startsWith('-'))", 'false'],
  ]),
  ...of('upstream/decoding/wire-money', ['gateway/money'], [
    ['if (fraction.length > places) {', 'if (fraction.length > 18) {'],
    ['return fromAmount(amount, unit, places)', 'return amount'],
  ]),
  ...of('upstream/customers', ['gateway/identification'], [
    ['isDeepStrictEqual(contract[row], contractRows[row].value) ? [] : contract[row]', 'contract[row]'],
    ["identifies && (contract['listCustomers.search'] === null || !isListed)", 'identifies'],
    [' || !isListed)', ')'],
    ['return lookups.filter(({ field }) => isListed || field === \'customer\');', 'return lookups;'],
    ["    { field: 'customers', by: ['email'] },\n", ''],
  ]),
  ...of('upstream/decoding/envelope', ['gateway/read-evidence'], [
    ['(!isRecord(body) || hasData(body))', '(!isRecord(body))'],
    ['[success.locate(body), message.locate(body)]', '[message.locate(body)]'],
    ['[success.locate(body), message.locate(body)]', '[success.locate(body)]'],
  ]),
  ...of('upstream/record-operations', ['gateway/read-evidence'], [
    ['(flat !== undefined && record instanceof GatewayError)', 'false'],
  ]),
  ...of('upstream/record-operations', ['gateway/identification'], [
    ["by.filter((name) => (fields[name] ?? '') !== '')", 'by'],
  ]),
  ...of('upstream/decoding/interpret-answer', ['gateway/write-evidence'], [
    [" || (!formStatuses.has(status) && success.flag(body) === 'negative')", ''],
    ['!formStatuses.has(status) && ', ''],
  ]),
  ...of('upstream/decoding/success-flag', ['gateway/read-evidence'], [
    [' && !/^y(?:es)?$/i.test(scalarText(flag))', ''],
  ]),
  ...of('upstream/decoding/record-evidence', ['gateway/write-evidence'], [
    ["text.replace(/\\.?0+$/, '')", "text.replace(/\\.0+$/, '')"],
    ['/^\\d+\\.\\d+$/.test(text) ?', 'text.length > 0 ?'],
  ]),
  ...of('contract/contract', ['gateway/contract-rows'], [["Object.entries(own ?? contract['status.words'])", "Object.entries(contract['status.words'])"]]),
  ...of('upstream/decoding/record-evidence', ['gateway/write-evidence'], [['createFailureStatusCheck(contract, [kind])', 'createFailureStatusCheck(contract, [])']]),
  ...of('upstream/paging/filter', ['gateway/paging'], [
    ['signs: { ...page.signs, largestTotal: 0 },', ''],
  ]),
  ...of('upstream/paging/page', ['gateway/paging'], [
    ['value.some(isRecord)', 'value.length > 0'],
  ]),
  ...of('upstream/customers', ['gateway/money'], [["requireMoneyDecisions(contract, 'balance.unit', read.name);", '']]),
  ...of('contract/contract', ['gateway/money'], [['if (unit === null) throw', 'if (unit === undefined) throw']]),
  ...of('contract/contract', ['upstream/styles'], [["contract[row] ?? embedded ?? contract['money.unit']", "contract['money.unit']"]]),
  ...of('graphql/resolvers/scalars', ['gateway/money'], [
    ['/[1-9]/.test(amount) &&', ''],
    ['<= maxDigits', '<= maxDigits + 1'],
    ['node.kind === Kind.STRING ? node.value : undefined', "'value' in node ? node.value : undefined"],
    ['/^\\d+(', '/^-?\\d+('],
    ["value.replace(/^0+(?=\\d)/, '')", 'value'],
  ]),
];

// prettier-ignore
const identifiers: readonly Mutant[] = [
  ...of('upstream/decoding/request-path', ['gateway/paging'], [['&& !controlCharacter.test(text)', '']]),
  ...of('upstream/decoding/request-path', ['gateway/identifiers', 'upstream/values'], [
    ['return encodeURIComponent(identifier);', 'return identifier;'],
    ['isPlainText(text) && !isDotSegment(text)', 'isPlainText(text)'],
    ['/^(?:\\.|%2e){1,2}$/i', '/^(?:\\.|%2e){1,2}$/'],
    ['/^(?:\\.|%2e){1,2}$/i', '/^\\.{1,2}$/'],
    ['Buffer.byteLength(text) <= maxTextBytes', 'text.length <= maxTextBytes'],
    ['&& text.isWellFormed()', ''],
    ['text.length <= maxTextBytes && !unusualCharacter', '!unusualCharacter'],
    ['/[^A-Za-z0-9_-]/', '/[^A-Za-z0-9_.-]/'],
  ]),
  ...of('upstream/decoding/request-path', ['gateway/addressing'], [
    ["query.replace('?', '&')", 'query'],
    ['if (!isPathIdentifier(identifier, allowed)) throw refuse();\n    return { [field]', 'return { [field]'],
    ['toBody(idFields(identifiers), Object', 'toBody({}, Object'],
    ['numbers.has(name) && ', ''],
  ]),
  ...of('upstream/operation', ['gateway/addressing'], [['body === undefined ? path :', 'body !== null ? path :']]),
  ...of('contract/addressing', ['gateway/wire'], [['field !== place && isSameOrNested', 'isSameOrAbove']]),
  ...of('http/bodies/unsent-answers', ['gateway/unsent-answers'], [
    ['total <= maxUnsentBytes || ', ''],
    [' || now - startedAt < minAgeMs', ''],
    ['      answer.destroy();\n', ''],
    ['total -= answers.get(answer)?.bytes ?? 0;', ''],
    ["raw.once('finish', () => forget(raw)).once('close', () => forget(raw));", ''],
  ]),
  ...of('contract/addressing', ['gateway/addressing'], [
    ["=== 'GET') return { id: row", "=== 'PUT') return { id: row"],
    ["values[id] === 'body' && ", 'values[id] === null && '],
    ['isTaken = reservedNames(', 'isTaken = [""].concat().some(() => false) && reservedNames('],
    ['return isTaken ? {', 'return false ? {'],
    [', ...(field.startsWith(`${around}/`) ? [] : [around])', ''],
    [', ...(id === undefined ? [] : [id])', ''],
    ['fields.some(overlaps) ?', 'false ?'],
    ['if (isInPath && !isWrite(name))', 'if (isInPath)'],
    ["`${one}/`.startsWith(`${other}/`) || ", ''],
  ]),
  ...of('contract/addressing', ['gateway/path-fields'], [
    ['isText(extra.type) && extra.required === true', 'isText(extra.type)'],
    ['isText(extra.type) && extra.required', 'extra.required'],
    ['new Set([...identifiers, ...requiredFields])', "new Set(['id', ...requiredFields])"],
  ]),
  ...of('upstream/decoding/encode-input', ['gateway/path-fields'], [
    ['=> isPathIdentifier(text, allowed)', '=> text !== String(allowed)'],
    ['{ ...field, isInPath: true', '{ ...field, isInPath: false'],
    ['isInPath: true, mayBeEmpty: false', 'isInPath: true, mayBeEmpty: true'],
  ]),
  ...of('upstream/decoding/request-path', ['gateway/path-fields'], [
    ["if (typeof value !== 'string') throw", 'if (value === undefined) throw'],
    ['identifiers[field] = value;', 'identifiers[field] = source.id;'],
  ]),
  ...of('upstream/decoding/field-decoders', ['gateway/identifiers'], [
    ['text !== undefined && isIdentifier(text) ? text', 'text !== undefined ? text'],
    ['id instanceof GatewayError ? id : (record', 'id === null ? id : (record'],
  ]),
  ...of('graphql/resolvers/scalars', ['gateway/identifiers'], [
    ['|| Number.isSafeInteger(value)', '|| value < 2 ** 60'],
    ['|| !Number.isInteger(value)', '|| Number.isInteger(value)'],
  ]),
  ...of('graphql/schema', ['gateway/identifiers'], [['refuseRoundedIdentifiers();', '']]),
  ...of('graphql/resolvers/resolve-reference', ['gateway/identifiers', 'gateway/entities'], [
    ['!Number.isSafeInteger(id)', "typeof id !== 'number'"],
    ["typeof id !== 'string' && !Number.isSafeInteger(id)", "typeof id !== 'string'"],
    ['operation.request(identifier);', ''],
    ["field !== 'id' &&", ''],
    ['&& !ownCalls.has(field)', ''],
    ['if (needsRecord) return', 'if (info === undefined) return'],
  ]),
  ...of('graphql/resolvers/read-entity', ['gateway/reads-together'], [
    ['const ahead: Context = { ...context, ...context.ahead };', 'const ahead: Context = context;'],
    ['operation.readAhead.has(definition.name)', 'definition === undefined'],
    ['|| !context.ahead.isSent(operation, identifier)', ''],
  ]),
  ...of('upstream/paging/list-readers', ['gateway/reads-together'], [
    ['windows.get(keyOf(list, args)) :', 'undefined :'],
    ['void Promise.allSettled(window.pages.map((loadPage) => loadPage(load)));', ''],
    ['[list.name, parent?.id, first, after, filters]', '[list.name, parent?.id]'],
    ['if (window.isIncomplete) return readAgain();', ''],
  ]),
  ...of('graphql/loader', ['gateway/reads-together'], [
    ['onNeededError(operation, error)', 'undefined'],
    ['if (error === unansweredAhead) {', 'if (error === undefined) {'],
    ['loadRequest(operation, { ...request, isAhead });', 'loadRequest(operation, { ...request, isAhead, isAgain: false });'],
  ]),
  ...of('graphql/context', ['gateway/reads-together'], [
    ['operation.request(identifier);', ''],
    ['requireCredentials(credentials, operation);', ''],
  ]),
  ...of('upstream/calls/call-budget', ['gateway/reads-together'], [
    ['request.isAhead === true ? unansweredAhead : overBudget', 'overBudget'],
  ]),
  ...of('upstream/calls/read', ['upstream/retry'], [['if (attempts === 1) reader.retries', 'reader.retries']]),
  ...of('upstream/calls/attempt', ['gateway/wire'], [['names, true), ...headers, ...trace.headers]', 'names, true), ...headers]']]),
  ...of('upstream/calls/read', ['gateway/reads-together'], [
    ['if (request.isAhead === true) this.reject(unansweredAhead);\n    else if', 'if'],
  ]),
  ...of('upstream/calls/attempt', ['gateway/reads-together'], [['isAhead: request.isAhead === true,', '']]),
  ...of('upstream/wire/http-client', ['gateway/reads-together'], [['isWrite || (isAhead &&', 'isWrite || (false &&']]),
  ...of('upstream/credentials/credentials', ['gateway/credentials'], [
    ['if (bearer === undefined || identity.callers.bearer === identity.callers.privateKey) identities', 'identities'],
  ]),
  ...of('graphql/context', ['gateway/reads-together'], [['lifetime.end(status === clientClosedRequest)', 'lifetime.end(false)']]),
  ...of('graphql/context', ['gateway/wire'], [
    ['(?!ff)', ''],
    ['(?!0{32})', ''],
    ['(?!0{16})', ''],
    ['traceparent === undefined || more.length > 0', 'traceparent === undefined'],
    ['{1,512}', '{1,513}'],
    ['{1,512}', '{1,511}'],
  ]),
  ...of('graphql/execution/error-placement', ['gateway/executor'], [
    ['length <= keys.length', 'length < keys.length', 'no value is completed twice, so that none is nulled twice'],
  ]),
  ...of('graphql/execution/variants', ['gateway/executor'], [
    ['if (variants.size >= maxVariants) variants.clear();', ''],
    ['variants.size >= maxVariants', 'variants.size >= maxVariants - 1'],
  ]),
  ...of('graphql/apollo-plugin', ['gateway/limits'], [['isQuery ? cutErrors', 'isQuery === null ? cutErrors']]),
  ...of('graphql/sandbox', ['gateway/http'], [['includeCookies: false', 'includeCookies: true']]),
  ...of('graphql/error-log', ['gateway/log'], [["if (gatewayError?.code === 'UPSTREAM_TIMEOUT' && hasClientLeft()) continue;", '']]),
  ...of('telemetry/graphql-metrics', ['gateway/metrics'], [['if (hasClientLeft()) return;', '']]),
  ...of('upstream/calls/failure-errors', ['gateway/log'], [['cause ?? codedError(reason)', 'cause']]),
  ...of('upstream/connect', ['gateway/idempotency'], [['key: id.slice(0, 12), ', '']]),
  ...of('commands/main', ['gateway/command-line'], [
    [".on('SIGHUP', onSignal)", ''],
    ["signal !== 'SIGHUP' && ", ''],
    [' && performance.now() - stoppingSince >= repeatedMs', ''],
  ]),
  ...of('config/rules', ['gateway/config'], [
    ['!isEncoded(url) || ', ''],
    [' || !/^\\/?\\d*$/.test(url.pathname)', ''],
  ]),
  ...of('contract/plain-yaml', ['gateway/addressing'], [["path.length === 0 ? 'something else' : ", '']]),
  ...of('upstream/wire/http-client', ['upstream/lines'], [
    ['if (!runsOn || this.controller === undefined)', 'if (!runsOn)'],
    ['lifetime?.hasClientLeft() !== true', 'true'],
    ['const runsOn = isWrite ||', 'const runsOn ='],
  ]),
  ...of('upstream/wire/connection-pools', ['upstream/lines'], [
    [' || client.closed || client.destroyed', '', 'before the next phase of the event loop only the end of its pool closes a client, and the read fails then either way'],
  ]),
  ...of('upstream/wire/pool', ['upstream/lines'], [
    ['    connection.error = undefined;\n', ''],
    ['      connection.requests = 1;\n', ''],
  ]),
  ...of('graphql/loader', ['gateway/identifiers'], [
    ['operation.canonical !== undefined;', 'operation === undefined;'],
    ['clear: () => caches.clear(),', 'clear: () => {},'],
  ]),
  ...of('graphql/resolvers/isolate-entities', ['gateway/hardening'], [["'__resolveReference' in type;", 'true;']]),
];

// prettier-ignore
const idempotency: readonly Mutant[] = [
  ...of('upstream/idempotency/idempotency', ['gateway/idempotency', 'upstream/idempotency-store'], [
    ['if (entry.input !== intent.input) {', "if (entry.input === '') {"],
    ["entry.state === 'pending' && Date.now() < entry.deadline", "entry.state === 'pending'"],
    ["entry.state === 'pending' && Date.now() < entry.deadline", "entry.state === 'answered'"],
    ['deadline: Date.now() + claim.withinMs', 'deadline: Date.now()'],
    ['await untilLifetimeEnd(free(id, intent), claim.lifetime);', 'await undefined;'],
    ['else await settle(id, toEntry(intent, ended.kept, id, seal));', "else if (ended.kept.as === 'unknown') await free(id, intent); else await settle(id, toEntry(intent, ended.kept, id, seal));"],
    ['return `${id} unknown`;', 'return id;'],
    ['inBackground(\n      first.catch(() => retry(work)),', 'inBackground(\n      first,'],
    ['withdraw(id, intent, mayBeRecorded);', ''],
    ["if (claimed === undefined) throw storeError('slow');", 'if (claimed === undefined) return undefined;'],
    ['if (attempts === settleAttempts) throw error;', 'throw error;'],
    ['await Promise.all(unsettled);', ''],
    ['if (entry !== undefined) return recorded(keptIn(entry, id, seal));', ''],
  ]),
  ...of('upstream/idempotency/idempotency', ['gateway/log'], [
    ['packed.writeUInt16BE(status);', 'packed.writeUInt16BE(200);'],
    ['unpack(seal.open(unknownId(id), sealed)).status', 'undefined'],
  ]),
  ...of('upstream/idempotency/idempotency', ['upstream/idempotency-waiters'], [
    ['if (lifetime?.isOver() === true) throw', 'if (lifetime === null) throw'],
    ['if (latest === undefined) throw error;', 'throw error;'],
    ['intent = { ...first, attempt: randomUUID() };', ''],
    ['await untilLifetimeEnd(free(id, intent), claim.lifetime);', 'await free(id, intent);'],
    ['await first.catch(() => {});', ''],
    ['store.withdraw(id, attempt)', 'store.free(id, attempt)'],
  ]),
  ...of('upstream/calls/write', ['gateway/idempotency'], [
    ['performance.now()) + timeoutMs + slackMs', 'performance.now()) + slackMs'],
    ['Math.ceil(scope.lifetime.deadline - performance.now()) +', ''],
  ]),
  ...of('upstream/idempotency/command-groups', ['upstream/idempotency-groups'], [
    ['Number(process.hrtime.bigint() - sentAt) / 1e6 > claimTimeoutMs', 'false'],
    ["command.name === 'claim' && Number", 'Number'],
    ['isOutcome(job.command) ? outcomes : others', 'others'],
    ['waiting.splice(0, longestGroup)', 'waiting.splice(0, 1)'],
    ["answered.get(id) ?? { fault: 'slow' }", 'answered.get(id) ?? { value: undefined }'],
  ]),
  ...of('upstream/idempotency/sqlite-store', ['upstream/idempotency-groups'], [
    ['if (thread.hasEnded() && !isClosed) thread', 'if (isClosed) thread'],
    ['thread = startThread(path, file);', 'thread = startThread(path);'],
    ["answer({ fault: 'away' });", 'answer({ value: undefined });'],
    ["if (waiting.size >= maxCommands) return resolve({ fault: 'slow' });", ''],
  ]),
  ...of('http/bodies/chunked-body', ['gateway/unread-bodies'], [["joined.on('error', () => {});", '']]),
  ...of('http/shutdown/graceful-shutdown', ['gateway/drain'], [[' && openAnswers(request.raw.socket).at(-1) === reply.raw', '']]),
  ...of('upstream/idempotency/sqlite-entries', ['upstream/idempotency-groups'], [
    ['if (!database.isTransaction) throw error;', ''],
    ["if (identify(path, log) !== identity) throw storeError('away');", ''],
    ["if (identify(index) !== indexIdentity) throw storeError('away');", ''],
    ["if (file !== '' && identityOf(path) !== file) throw storeError('away');", ''],
    ['every(isOutcome)', "every(({ name }) => name === 'claim')"],
    ["return name === 'settle' || name === 'free';", "return name === 'settle';"],
    ["return name === 'settle' || name === 'free';", "return name !== 'claim';"],
    ["if (database.isTransaction) database.exec('ROLLBACK');", ''],
    ['if (identify(path, log) !== identity)', 'if (!identity.startsWith(identify(path)))'],
  ]),
  ...of('upstream/idempotency/sqlite-entries', ['upstream/idempotency-store'], [
    ["if (Number(changes) !== 1) throw storeError('away');", ''],
    ['expires_at = ? WHERE id = ? AND attempt = ?', 'expires_at = ? WHERE id = ? AND ? IS NOT NULL'],
    ['DELETE FROM entries WHERE id = ? AND attempt = ?', 'DELETE FROM entries WHERE id = ? AND ? IS NOT NULL'],
    ['if (row !== undefined) {', 'if (row === undefined) {'],
    ['WHERE id = ? AND expires_at > ?', 'WHERE id = ? AND expires_at <> ?'],
    ['return Math.max(storedMs, processMs);', 'return Date.now();'],
    ['if (processMs - storedMs >= clockStepMs) advance.run(processMs);', ''],
    ["closeSync(openSync(path, 'a', 0o600));", "closeSync(openSync(path, 'a', 0o644));"],
    ['synchronous = FULL;', 'synchronous = OFF;', 'shows when a machine loses its power only, which no test can do'],
  ]),
  ...of('upstream/idempotency/redis-connection', ['upstream/redis-store'], [
    ['error instanceof ErrorReply ? replicaReplies.has(reason) : isSilent', 'isSilent'],
    ['inTime(client.connect(), connectTimeoutMs)', 'client.connect()'],
    ['throw withReason(error);\n      });', 'throw error;\n      });'],
  ]),
  ...of('telemetry/request-log', ['gateway/log'], [
    [" && ['claim', failing.command].includes(command)", ''],
    ["['claim', failing.command]", "['claim']"],
    ['new Set(failing?.reported).add(kind)', 'new Set([kind])'],
    ['`${fault} ${cause}`', '`${fault}`'],
  ]),
  ...of('upstream/idempotency/redis-store', ['upstream/redis-store'], [
    ['    await probe().catch(refuseWithoutWrites);\n', ''],
    ["    await run(claimScript, id, id, { input: '', deadline: 0, attempt: id, state: 'pending' });\n", ''],
    ['.attempt == attempt', '.attempt ~= nil'],
    ['if isOwn() then write() end', 'write()'],
    ['if isOwn() then delete(entry) end', 'delete(entry)'],
    ['if not found then write() end', 'write()'],
    ["redis.call('SET', entry, value)", "redis.call('SET', entry, value, 'PX', lifetime)"],
    ['local now = math.max(stored, own)', 'local now = own'],
    ["then redis.call('SET', clock, ARGV[1]) end", 'then end'],
    ['or now + 1) <= now', 'or now + 1) < 0'],
    ['or now + 1) <= now', 'or now) <= now'],
    ['for _, key in ipairs(expired) do delete(key) end', ''],
    ["client.set(clockKey, String(Date.now()), { condition: 'NX' })", 'client.set(clockKey, String(Date.now()))'],
    ['continueClock(await connection.run(startClock))', 'continueClock(Date.now())'],
  ]),
  ...of('upstream/idempotency/store', ['upstream/idempotency-store', 'gateway/idempotency'], [
    ['72 * hourMs', '1 * hourMs'],
    ['30 * 24 * hourMs', '24 * hourMs'],
  ]),
  ...of('upstream/idempotency/sealed-entry', ['gateway/idempotency', 'upstream/idempotency-store'], [
    ["hmac('id', JSON.stringify([operation, key]))", "hmac('id', JSON.stringify([key]))"],
    ['.map((name) => [name, values[name].value])', ''],
    ["hkdfSync('sha256', identity, secret, purpose, 32)", "hkdfSync('sha256', identity, '', purpose, 32)"],
    ['.toSorted(([a], [b]) => (a < b ? -1 : 1))', ''],
    ['const nonce = randomBytes(nonceBytes);', 'const nonce = Buffer.alloc(nonceBytes);'],
    ['sealing.update(content), sealing.final()', 'content, sealing.update(content), sealing.final()'],
  ]),
  ...of('graphql/idempotency-key', ['gateway/idempotency'], [
    ["if (typeof inputKey === 'string') throw", "if (inputKey === 'planted') throw"],
    ['if (header.length > 1) throw', 'if (header.length > 2) throw'],
    ['if (createsIn(info).length > 1) {', 'if (createsIn(info).length > 2) {'],
    ['{1,255}$/', '{1,256}$/'],
    ["&& 'idempotencyKey' in input.getFields()", ''],
  ]),
  ...of('graphql/context', ['gateway/idempotency'], [
    ['const key = operation.creates ? idempotencyKeyOf', 'const key = operation !== undefined ? idempotencyKeyOf'],
  ]),
  ...of('upstream/calls/write', ['gateway/idempotency'], [
    ["outcome.code === 'OUTCOME_UNKNOWN' ? { as: 'unknown', status }", "outcome.code === '' ? { as: 'unknown', status }"],
    ["? { as: 'nothing' } : { as: 'answer', answer };", "? { as: 'answer', answer } : { as: 'answer', answer };"],
    ['if (!result.sent) return unsent(failureError(operation, result, scope));', ''],
    ['if (idempotency !== undefined) return idempotency;', 'return idempotency as Idempotency;'],
    ['track(running, outcome);', ''],
    ['createSeal(fingerprintSecret, credentials', 'createSeal(new Uint8Array(32), credentials'],
  ]),
  ...of('upstream/calls/write', ['upstream/idempotency-store'], [
    ['+ timeoutMs + slackMs', '+ slackMs'],
    ['Math.ceil(scope.lifetime.deadline - performance.now()) + timeoutMs', 'timeoutMs'],
  ]),
  ...of('upstream/calls/write', ['gateway/drain', 'gateway/writes'], [
    ['(await withinLifetime(outcome, scope.lifetime))', '(await outcome)'],
    ['if (userErrors.length > 0) return { record: null, userErrors };', ''],
  ]),
  ...of('upstream/wire/http-client', ['upstream/lines', 'gateway/writes', 'gateway/wire'], [
    ["if (!runsOn || this.controller === undefined) fail(this, 'over');", "fail(this, 'over');"],
    ['sent: controller !== undefined, status', 'sent: true, status'],
    ['sent: controller !== undefined, status', 'sent: false, status'],
    ["if (this.isSettled) controller.abort(new Error('given up'));\n  else this", 'this'],
    ["if (encoding.toLowerCase() !== 'identity')", "if (encoding === 'planted')"],
    ['if (this.bytes > maxResponseBytes)', 'if (this.bytes > 2 * maxResponseBytes)'],
  ]),
];

// prettier-ignore
const limits: readonly Mutant[] = [
  ...of('graphql/limits/document-limits', ['gateway/limits'], [
    ['if (count > limits[limit])', 'if (count >= limits[limit])'],
    ['if (count > limits[limit])', 'if (count > limits[limit] + 1)'],
    ['if (lines > limits.lines)', 'if (lines > limits.lines + 1)'],
    ['if (lines > limits.lines)', 'if (lines >= limits.lines)'],
    ['loc.source, loc.end)', 'loc.source, loc.startToken.next?.start ?? 0)'],
    ['depth: Math.max(sum.depth, size.depth)', 'depth: size.depth'],
    ['aliases: sum.aliases + size.aliases', 'aliases: size.aliases'],
    ['aliases: below.aliases + (', 'aliases: ('],
    ['+ size.directives + (selection', '+ (selection'],
    ['const directives = size.directives + nodes', 'const directives = 0 * size.directives + nodes'],
    ['(sum, node) => sum + (node.directives?.length ?? 0), 0)', '(sum) => sum, 0)'],
    ['rootFields: sum.rootFields + size.rootFields', 'rootFields: size.rootFields'],
    ['if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);', ''],
    ['depth: isIntrospection ? 1 :', 'depth:'],
    ['> limits.tokens ?', '> limits.tokens + 1 ?'],
    ['fragments.set(name, size);', ''],
  ]),
  ...of('graphql/apollo-server', ['gateway/limits'], [['validationOptions: { maxErrors: maxValidationErrors },', '']]),
  ...of('graphql/limits/operation-gate', ['gateway/cost', 'gateway/limits', 'gateway/trusted-documents'], [
    ['readsEntities && needsRouter && !isRouter', 'needsRouter && isRouter === undefined'],
    ['if (representations > maxRepresentations)', 'if (representations >= maxRepresentations)'],
    ['readsEntities ? countAccepted(maxUpstreamCalls) : 0', 'readsEntities ? calls : 0'],
    ['if (calls > maxUpstreamCalls)', 'if (calls >= maxUpstreamCalls)'],
    ['if (calls > maxUpstreamCalls)', 'if (calls > maxUpstreamCalls + 1)'],
    ['if (readsEntities && needsRouter', 'estimate(); if (readsEntities && needsRouter'],
  ]),
  ...of('graphql/limits/selection-cost', ['gateway/limits'], [
    ['Array.isArray(given) ? given : [given]', '[given].flat()'],
    ['position.isRepeat || names.has(name)', 'names.has(name)'],
    ['repeated: isList ? (term ?? parent) : repeated', 'repeated'],
  ]),
  ...of('graphql/limits/operation-gate', ['gateway/trusted-documents'], [["every(([, field]) => field === '_entities')", "some(([, field]) => field === '_entities')"]]),
  ...of('graphql/limits/operation-gate', ['gateway/entities', 'gateway/trusted-documents'], [
    ["!isOpen && rootFieldsOf", "isOpen && rootFieldsOf"],
    ['const isOpen = introspection || isRouter;', 'const isOpen = true;'],
    ['const isOpen = introspection || isRouter;', 'const isOpen = introspection;'],
  ]),
  ...of('upstream/calls/call-budget', ['gateway/cost'], [
    ['count(scope, request) > maxCalls', 'count(scope, request) > maxCalls + 1'],
    ['count(scope);\n', '\n'],
  ]),
];

// prettier-ignore
const cost: readonly Mutant[] = [
  ...of('graphql/collect-fields', ['gateway/attacks'], [['if (visited.has(selection.name.value)) continue;', '']]),
  ...of('graphql/limits/selection-cost', ['gateway/cost'], [
    ['calls: times * calls,', 'calls,'],
    ['? calls : 0;', '? 0 : 0;'],
    ['calls: records * ofRecord, records', 'calls: ofRecord, records'],
    ['return typeName === name;', 'return true;'],
    ['parent: term ?? parent,', 'parent: term,'],
    ['Array.isArray(given) ? given : [given]', '[given]'],
    ['Array.isArray(given) ? given : [given]', 'Array.isArray(given) ? given : given'],
  ]),
  ...of('graphql/limits/operation-cost', ['gateway/cost'], [
    ['? variables[name] : defaults[name];', '? variables[name] : undefined;'],
    ['Object.hasOwn(variables, name) ? variables[name]', '(variables[name] ?? undefined) !== undefined ? variables[name]'],
  ]),
  ...of('graphql/execution/variants', ['gateway/cost'], [["(variables[name] === true ? '1' : '0')", "(variables[name] === true ? '0' : '0')"]]),
  ...of('graphql/explain/explain-operation', ['gateway/explain'], [
    ['(isTogether ? 0 : 1)', '1'],
    ['costs[parent.index]?.calls === 0', 'false'],
    ['Math.max(0, ...waves) + 1 : 1', '1 : 1'],
    ['|| !open.has(value.name.value)', '|| true'],
  ]),
  ...of('graphql/explain/greatest-values', ['gateway/explain'], [
    ['totals.indexOf(Math.max(', 'totals.indexOf(Math.min('],
    ['candidates: [first] }) => [name, first]', 'candidates: [first] }) => [name, name === first ? first : undefined]'],
    ['|| slice.after === anyCursor', '|| slice.after === undefined'],
    ['slice.first === anyFirst ||', ''],
    ['firsts.map((count) =>', 'firsts.slice(-1).map((count) =>'],
  ]),
  ...of('graphql/explain/call-recorder', ['gateway/explained-calls'], [
    ['if (!ahead) use.count += 1;', 'use.count += 1;'],
    ['uses = new Map();', ''],
    ["hasWaited ? 'in flight'", "!hasWaited ? 'in flight'"],
    ['callRecord.wireMs += wireMs;', 'callRecord.wireMs += 1000;'],
  ]),
  ...of('graphql/explain/schema-path', ['gateway/explained-calls'], [["selected[0]?.name.value ?? ''", "selected[0]?.alias?.value ?? ''"]]),
  ...of('graphql/resolvers/field-costs', ['gateway/cost'], [["if (name !== '__resolveReference') fields", 'if (name !== undefined) fields']]),
  ...of('graphql/collect-fields', ['gateway/cost', 'gateway/cost-generated'], [
    ["isTrue === (directive.name.value === 'skip')", "isTrue !== (directive.name.value === 'skip')"],
    ['return isAbstractType(abstract) && schema.isSubType(abstract, type);', 'return true;'],
    ['else nodes.push(selection);', ''],
  ]),
  ...of('upstream/record-operations', ['gateway/cost'], [['{ calls: 2, records: 1 }', '{ calls: 1, records: 1 }']]),
  ...of('upstream/paging/list', ['gateway/cost'], [
    ['first ?? defaultFirst;\n      const', '0;\n      const'],
  ]),
  ...of('upstream/paging/cursor', ['gateway/cost'], [['? start : peekParts(cursor, start)?.resume', '? start : start']]),
  ...of('upstream/paging/numbered-pages', ['gateway/cost'], [
    ['(mayNeedFirstPage ? 1 : 0)', '0'],
  ]),
];

// prettier-ignore
const throttle: readonly Mutant[] = [
  ...of('upstream/calls/throttle', ['upstream/throttle'], [
    ['const minCalls = 20;', 'const minCalls = 21;'],
    ['const minCalls = 20;', 'const minCalls = 19;'],
    ['const leniency = 3;', 'const leniency = 2;'],
    ['const recentSeconds = 2;', 'const recentSeconds = 3;'],
    ['const probeIntervalMs = 250;', 'const probeIntervalMs = 249;'],
    ['const minFailingCallers = 3;', 'const minFailingCallers = 2;'],
    ['const minFailingCallers = 3;', 'const minFailingCallers = 4;'],
    ['const minFailingCallersForAll = 5;', 'const minFailingCallersForAll = 4;'],
    ['const minFailingCallersForAll = 5;', 'const minFailingCallersForAll = 6;'],
    ['isKnownGood(evidence, now) ? minFailingCallersForAll : minFailingCallers;', 'minFailingCallers;'],
    ['if (failed && sentAt < evidence.recoveredAt) return;', ''],
    ['evidence.window.clear();', ''],
    ['evidence.credit -= 1;', 'evidence.credit = 0;', 'the same where the share divides one'],
    ['|| evidence.probedAt <= nextProber.probedAt', '|| true'],
    ['|| dueMs >= probeIntervalMs;', ';'],
    ['if (passShare(everybody, now) > 0) return now', 'if (everybody === evidence) return now'],
  ]),
  ...of('runtime/sliding-window', ['upstream/throttle', 'upstream/retry'], [
    ['const seconds = 10;', 'const seconds = 9;'],
    ['const seconds = 10;', 'const seconds = 11;'],
  ]),
  ...of('upstream/calls/attempt', ['upstream/throttle'], [
    ['Math.min(timeoutMs, requestTimeoutMs) / 2', 'Math.min(timeoutMs, requestTimeoutMs) / 1e9'],
    ['Math.min(timeoutMs, requestTimeoutMs) / 2', 'Math.min(timeoutMs, requestTimeoutMs) * 2'],
    ['new Set([502, 503, 504])', 'new Set([500, 502, 503, 504])'],
    ['new Set([502, 503, 504])', 'new Set([502, 503])'],
    ["result.reason === 'connection' || isConnectionFault(result.reason)", 'isConnectionFault(result.reason)'],
    ["result.reason === 'connection' || isConnectionFault(result.reason)", "result.reason === 'connection'"],
    ["if (result.reason === 'malformed') return false;", "if (result.reason === 'malformed') return true;"],
    ['lane.throttle.record(caller, admittedAt, failed, now);', 'lane.throttle.record(operation, admittedAt, failed, now);'],
    ['else if (throttle.refuses(attempted.caller, startedAt)) end(', 'else if (throttle === undefined) end('],
  ]),
  ...of('upstream/calls/fair-queue', ['upstream/queue'], [
    ['const reservedShare = 16;', 'const reservedShare = 1_000_000;'],
    ['const minWaiting = 640;', 'const minWaiting = 256;'],
    ['free > 0 && caller.inFlight < reach)', 'free > 0)'],
    ['callers.moveToEnd(caller);', ''],
    ['callers.waiting() >= maxWaiting ||', ''],
    ['|| waitingCount >= maxWaitingPerCaller', ''],
    ['startedAt + Math.max(ownMs / reach, (aheadMs + ownMs) / maxInFlight) <', 'startedAt <'],
    ['waitingCount * durations.averageOf(caller.name)', 'waitingCount * durations.average()'],
    ['byCaller.get(caller) ?? ofAll', 'byCaller.get(caller) ?? 0'],
    ['theirs -= other.waiting.length();', ''],
    ['if (caller.inFlight < reach) atReach.delete(caller);', ''],
    ['Math.max(ownMs / reach, (aheadMs + ownMs) / maxInFlight)', '(aheadMs + ownMs) / maxInFlight'],
    [', (aheadMs + ownMs) / maxInFlight)', ', 0)'],
    ['entry.lifetime.unlisten(entry);', ''],
    ['if (isAdmitting) return;', ''],
    ['while (caller !== undefined && caller.inFlight >= reach) caller = caller.next;', ''],
    ['caller.inFlight -= 1;', ''],
  ]),
  ...of('upstream/calls/retry', ['upstream/retry'], [
    ['const maxAttempts = 3;', 'const maxAttempts = 4;'],
    ['const budgetPart = 0.2;', 'const budgetPart = 0.3;'],
    ['const freeRetries = 10;', 'const freeRetries = 11;'],
    ['const longestWaitMs = 2_000;', 'const longestWaitMs = 4_000;'],
    ['now + waitMs >= deadline ||', ''],
    ['window.at(now).retries += 1;', ''],
    ['new Set([408, 502, 503, 504])', 'new Set([408, 500, 502, 503, 504])'],
    ['retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000', '(retryAfterSeconds ?? 0) * 1000'],
    ['Math.max(minWaitMs,', 'Math.min(minWaitMs,'],
  ]),
  ...of('runtime/request-lifetime', ['upstream/queue', 'gateway/writes'], [['last.listenerIndex = listener.listenerIndex;', '']]),
  ...of('runtime/shared-timer', ['upstream/time-limit'], [
    ['first.dueAt > performance.now() + 1', 'first.dueAt > performance.now() - 1_000'],
    ['started.remove(item);', ''],
  ]),
];

// prettier-ignore
const paging: readonly Mutant[] = [
  ...of('upstream/paging/cursor', ['gateway/paging', 'gateway/cost'], [
    ['&& encode(parts.head, parts.resume) === cursor', ''],
    ['parts?.head.startsWith(bind()) === true &&', ''],
    ['JSON.stringify([name, id, filter])', 'JSON.stringify([name, filter])'],
    ['JSON.stringify([name, id, filter])', 'JSON.stringify([name, id])'],
    ['JSON.stringify([name, id, filter])', 'JSON.stringify([id, filter])'],
    ['cursorVersion === version ?', 'cursorVersion !== undefined ?', 'the same until there is a second version: a cursor must be spelled as this one writes it'],
    ['if (cursor.length > maxCursorLength) return undefined;', '', 'only spares decoding: no list gives out one so long'],
  ]),
  ...of('upstream/paging/list', ['gateway/paging'], [
    ['value >= 1 && value <= maxFirst', 'value >= 0 && value <= maxFirst'],
    ['value >= 1 && value <= maxFirst', 'value >= 1 && value <= maxFirst + 1'],
    ['count === null || count < 2 ** 31', 'count === null || count < 2 ** 40'],
  ]),
  ...of('upstream/paging/list', ['upstream/styles'], [
    ['styles[contract[`${name}.pageStyle`]]()', "styles[contract['listCustomers.pageStyle']]()"],
  ]),
  ...of('upstream/paging/filter', ['gateway/paging', 'upstream/styles'], [
    ['matches(page.sources[index], text) ? record :', 'index >= 0 ? record :'],
    ['if (!isPlainText(text)) {', "if (text === 'planted') {"],
  ]),
  ...of('upstream/paging/check-numbered-page', ['gateway/list-surprises', 'gateway/paging'], [
    ['if (total !== null && end > total) throw', 'if (total !== null && end > 100 * total) throw'],
    ['if (records.length < size && saysMore(page, end, number)) {', 'if (records.length > size) {'],
    ["if (total === end) throw surprise('lists.total');", ''],
    ['if (records.length < size) return;', ''],
    ['lastPage < number) throw', 'lastPage < -1) throw'],
    ['number > Math.max(lastPage, 1) && ', ''],
    ['Math.max(lastPage, 1)', 'lastPage'],
    [' && page.records.length === 0', ''],
    ['(shown === null || !isExpected)', '!isExpected'],
    ['page.records.length > inForce || inForce > maxSize', 'inForce > maxSize'],
  ]),
  ...of('upstream/paging/numbered-pages', ['gateway/list-surprises'], [
    ['behind = pages.flatMap(({ number }) => between(end, last, number));', 'behind = pages.flatMap(() => []);'],
  ]),
  ...of('upstream/paging/repeats', ['gateway/list-surprises'], [
    ['const isRepeating = hasRepeat(ids);', 'const isRepeating = hasRepeat(ids) && !(list.start.token !== undefined && window.pageStarts.length > 0);'],
    ['if (window !== undefined && !idsOf(window).some(isBefore)) return window;', 'if (window !== undefined) return window;'],
    ['isRepeating ? undefined : window, compared', 'window, compared'],
    ['before.slice(0, compared?.count)', 'before'],
    ['request.readPage(respell(query), true)', 'request.readPage(respell(query))'],
    ['request.first, isStart)', 'request.first, false)'],
  ]),
  ...of('upstream/paging/numbered-pages', ['gateway/paging'], [
    ['return last.total > end;', 'return last.total >= end;'],
    ['if (last.records.length > indexBehind) return true;', ''],
    ['checkPages(all, size);', ''],
    ['if (sizes.honoured.has(askedSize)) return false;', 'if (sizes.honoured.size > 0) return false;'],
    ['return saysMore(first, size, 1) || pages', 'return true || pages'],
    ['page.size === null || page.records.length === 0', 'page.size === null'],
    ["!== size) throw changed.page.surprise('lists.pageSize');", '!== size) throw new Error();'],
  ]),
  ...of('upstream/paging/page', ['gateway/paging', 'upstream/styles'], [
    ['({ index: start + index + 1 })', '({ index: start + index })'],
    ['text === undefined || isLink(text) ||', 'text === undefined ||'],
    ['paths.some((start) => text.startsWith(start))', 'false'],
    ['[path, contract[', '[contract['],
    ['value >= 0 && value < maxCount', 'value < maxCount'],
    ['isEndTold && !holdsOtherList(body)', 'isEndTold'],
    ['!isHolder(name) && isList(', 'isList('],
  ]),
  ...of('upstream/paging/page', ['gateway/paging-ends'], [
    ['?? readSigns(body).total) !== null', '?? readSigns(body).total) === 0'],
    ['|| booleans.get(more.read(body)) === false', ''],
    ['(isRecord(value) && Object.keys(value).some((name) => /^\\d+$/.test(name)', '(isRecord(value) && Object.keys(value).some((name) => name === body'],
  ]),
  ...of('upstream/paging/numbered-pages', ['gateway/paging-ends'], [
    ['numbers.slice(pages.length).filter((each) => each <= end)', 'numbers.slice(pages.length)'],
    ['number <= end && pageAt(', 'pageAt('],
    ['Math.ceil(total / Math.max(size, records.length))', 'Math.ceil(total / size)'],
    ['size < sizes.longest || ', ''],
    ['|| !isShown(asked, pages, size))', ')'],
    ['asked.some(({ page }) => page.size === size)', 'false'],
    ['asked.some(({ page }) => page.size === size)', 'pages.some(({ page }) => page.size === size)'],
    ['saysMore(page, number * size, number);', 'true;'],
    ['&& !hasRepeatedId(pages.flatMap(({ page }) => page.records))', ''],
  ]),
  ...of('upstream/paging/offset-pages', ['gateway/paging-ends'], [
    ['reading.end = Math.min(reading.end, reading.total ?? Infinity);', ''],
    ['|| short.count < limits.longest', ''],
    ['(hasNextPage && byPosition', '(byPosition'],
    ['cap === short.count || ', ''],
    ['|| hasRepeatedId(nodes)', ''],
    ['limits.cap = Math.min(limits.cap, short.count);', 'void 0;'],
    ['reading.cap = Math.min(reading.cap, count);', 'void 0;'],
  ]),
  ...of('upstream/paging/token-pages', ['gateway/paging-ends'], [
    [' && askedSize > pageCap.longest', ''],
  ]),
  ...of('upstream/paging/token-pages', ['gateway/cost'], [
    ["rowOfToken(contract) === 'lists.cursorFrom'", 'false'],
  ]),
  ...of('upstream/paging/token-pages', ['upstream/styles'], [
    ['tokens.add(from.token);', ''],
    ['from.size || Math.min(first - nodes.length, largest)', 'Math.min(first - nodes.length, largest)'],
    ['if (start.size > largest) throw', 'if (start.size > 1e9) throw'],
  ]),
  ...of('upstream/paging/offset-pages', ['upstream/styles'], [
    ['if (records.length > limit) throw', 'if (records.length > 10 * limit) throw'],
  ]),
];

// prettier-ignore
const evidence: readonly Mutant[] = [
  ...of('contract/service-rows', ['gateway/writes'], [['[400, 409, 422],', '[400, 409],']]),
  ...of('upstream/decoding/envelope', ['gateway/refusal-rows'], [
    ['if (isFailed(body) || hasErrors', 'if (hasErrors'],
    ["if (!single.includes('')) return [single];", ''],
    ['&& entries !== body', ''],
    ['message.holder(body) === entries', 'false'],
  ]),
  ...of('upstream/decoding/envelope', ['gateway/refusal-rows'], [
    ['|| mappedStatus(body) !== undefined', ''],
  ]),
  ...of('upstream/decoding/success-flag', ['gateway/refusal-rows'], [
    ['httpStatus >= 400 && httpStatus < 500 &&', ''],
    ['&& !unrefinedStatuses.has(httpStatus)', ''],
  ]),
  ...of('upstream/decoding/encode-input', ['gateway/request-rows'], [
    ['&& !values.some(isInside)', ''],
    ["Object.keys(contract[`${name}.body`]).length > 0 &&", ''],
    ['isLeftOut ? undefined :', 'isLeftOut ? bareObject() :'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/refusal-rows'], [
    ['duplicateStatuses.has(status) || envelope.codeTexts(body).some((code) => duplicateCodes.has(code));', 'duplicateStatuses.has(status);'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/refusal-rows'], [
    ['  /\\b(?:pending|queued?)\\b/i,', ''],
  ]),
  ...of('upstream/decoding/success-flag', ['gateway/writes'], [['readStatus(body, sent) ?? otherwise', 'readStatus(body, sent) ?? 500']]),
  ...of('upstream/decoding/interpret-answer', ['gateway/write-evidence', 'gateway/writes'], [
    ['!isDuplicate && success.leavesOpen(body, texts)', '!isDuplicate && answer.status === 499'],
    ['!isOk(answer.status) && !isDuplicate', '!isDuplicate'],
  ]),
  ...of('upstream/decoding/envelope', ['upstream/styles'], [["contract['envelope.successValues'].map(String);", "contract['envelope.successValues'].filter((value) => typeof value === 'string');"]]),
  ...of('upstream/decoding/envelope', ['gateway/write-evidence'], [['failures.find(isOpenStatus) ?? failures[0]', 'failures[0]']]),
  ...of('upstream/decoding/success-flag', ['gateway/write-evidence'], [
    ['isByValues ? isFailureWord(flag) : ', 'isByValues ? false : '],
    ['isPositiveRecord || (status', '(status'],
    ["hasRecord && flag !== 'contradictory'", "flag !== 'contradictory'"],
    ['envelope.mappedStatus(body) ?? readStatus', 'readStatus'],
    ['(status !== undefined && isOpenStatus(status))', 'false'],
  ]),
  ...of('upstream/calls/write', ['gateway/log'], [
    ['[...sentTexts, ', '['],
    ['value === id || (', '('],
    ['|| (value.length >= minPersonalLength && isPersonal(text) && id.includes(value))', ''],
    ['value.length >= minPersonalLength &&', ''],
    ["|| text.includes('@')", ''],
  ]),
  ...of('upstream/connect', ['gateway/tls'], [['if (!isClosing) logFault(error);', 'logFault(error);']]),
  ...of('http/malformed-requests', ['gateway/unread-bodies'], [['pendingAnswer !== undefined', 'pendingAnswer === null'],
    ['req.complete', '!req.complete']]),
  ...of('graphql/limits/document-limits', ['gateway/limits'], [['Math.max(sum.aliasLength, size.aliasLength)', 'size.aliasLength']]),
  ...of('upstream/decoding/success-flag', ['gateway/refusal-rows'], [['|| envelope.isFailed(body)', '']]),
  ...of('upstream/decoding/success-flag', ['gateway/write-evidence'], [["[status, ...words.map((each) => each.get(status) ?? '')]", '[status]']]),
  ...of('upstream/decoding/extra-fields', ['gateway/extra-rows'], [
    ['Number(text) === (Number(text) | 0)', 'text !== ""'],
    ['unit, ownUnit, major: id', 'unit, major: id'],
  ]),
  ...of('upstream/decoding/encode-input', ['gateway/extra-rows'], [
    ['!isZoneless(text) && ', ''],
    ['isRequired: extra.required === true', 'isRequired: false'],
    ["extra.type === 'Money' ? toAmount :", "extra.type === 'none' ? toAmount :"],
  ]),
  ...of('upstream/paging/list', ['gateway/extra-rows'], [['filters.length === 0 ? carried : null', 'carried']]),
  ...of('upstream/paging/filter', ['gateway/extra-rows'], [['isBuiltIn ? first.text :', 'first.text ??']]),
  ...of('contract/extra-rows', ['gateway/extra-rows'], [
    ['if (graphNames(owner).has(name)) return', "if (name === 'planted') return"],
    ['if (wireNames(extra).some(namesIdentity)', 'if ([extra.name].some(namesIdentity)'],
  ]),
  ...of('telemetry/not-found-watch', ['gateway/metrics'], [['sayNothing.has(status) ||', ''], ['answered.add(operation);', '']]),
  ...of('upstream/decoding/interpret-answer', ['gateway/write-evidence'], [
    ["if (verdict === 'unknown') throw outcomeUnknown(operation, input, status);", ''],
    ['if (answer.status < 400 && !isOk(answer.status)) throw', 'if (answer.status < 300 && !isOk(answer.status)) throw'],
  ]),
  ...of('upstream/decoding/interpret-answer', ['gateway/writes'], [
    ['if (status === 408 || status > 451) throw outcomeUnknown(', 'if (status > 451) throw outcomeUnknown('],
    ['if (status === 408 || status > 451) throw outcomeUnknown(', 'if (status === 408) throw outcomeUnknown('],
    ['if (value instanceof GatewayError) throw', 'if (value === undefined) throw'],
    ['if (!isDuplicate) {', 'if (status !== 409) {'],
    ["if (status === 403) return new GatewayError('FORBIDDEN'", "if (status === 499) return new GatewayError('FORBIDDEN'"],
    ["if (status === 404) throw new GatewayError('NOT_FOUND'", "if (status === 499) throw new GatewayError('NOT_FOUND'"],
    ['...(lookup === undefined ? {} : { lookup }),', ''],
  ]),
  ...of('upstream/decoding/interpret-answer', ['gateway/errors'], [
    ['operation.absent !== undefined && envelope.isReadableError(body)', 'operation.absent !== undefined'],
    ["if (status === 408) throw new GatewayError('UPSTREAM_TIMEOUT'", "if (status === 499) throw new GatewayError('UPSTREAM_TIMEOUT'"],
    ['return status >= 200 && status < 300;', 'return status >= 200 && status < 400;'],
    ['|| !isUtf8(body)', ''],
  ]),
  ...of('upstream/decoding/envelope', ['gateway/writes', 'gateway/errors', 'upstream/styles'], [
    ['status >= 400 && status <= 599)', 'status >= 500 && status <= 599)'],
    ["&& !Object.hasOwn(body, 'id')", ''],
  ]),
  ...of('upstream/decoding/encode-input', ['gateway/writes', 'gateway/wire'], [
    ["if (value === null) return 'Must", "if (value === 0) return 'Must"],
    ['/^\\d{11}$/', '/^\\d{10,11}$/'],
    ["if (value === '') return mayBeEmpty ? undefined :", "if (value === '') return true ? undefined :"],
    ['[...values, ...sent]', 'values'],
  ]),
  ...of('upstream/record-operations', ['gateway/write-evidence', 'gateway/identification'], [
    ['(mismatchOf(source, input, location) ?? value)', 'value'],
    ['creates || !hasNewIdentifier(source, toFields(input), addressed) ? mismatch : undefined', 'mismatch'],
  ]),
  ...of('upstream/decoding/record-evidence', ['gateway/write-evidence'], [
    ['isFailureStatus(scalarText(status.read(source)))', 'isFailureStatus(textAt(status, source))'],
  ]),
  ...of('upstream/decoding/record-evidence', ['gateway/identification'], [
    ['(pointer) => identifiedBy.includes(pointer)', '() => true'],
    ["value !== '' && isAlike &&", "value !== '' &&"],
    ['textsIn(record).some((text) => sameIdentifier(text, value))', 'textsIn(record).length > 0'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/refusal-rows'], [["wireName === '' ? 'REJECTED' : ", '']]),
  ...of('upstream/decoding/interpret-answer', ['gateway/refusal-rows'], [[' && !mayBeCut', '']]),
  ...of('upstream/wire/http-client', ['gateway/refusal-rows'], [
    [" || /\\bchunked$/i.test(asText(headers['transfer-encoding']) ?? '')", ''],
    ["headers['content-length'] !== undefined || ", ''],
    ['/\\bchunked$/i', '/./'],
    ['code !== 204 && ', ''],
  ]),
  ...of('contract/addressing', ['gateway/addressing'], [
    ['isWrite(name) ? isInPath :', 'isWrite(name) ? parameters.length > 0 :'],
  ]),
  ...of('upstream/decoding/write-evidence', ['gateway/write-evidence'], [
    ["if (hasDuplicateCode && flag !== 'positive') return 'duplicate';", ''],
    ['hasFailureSign || hasDuplicateCode', 'hasFailureSign'],
    ['filter((text) => !valuesOfRecord.includes(text))', 'filter(() => true)'],
    ["record.path === '' ? sent : []", 'sent'],
    ["record.path === '' ? sent : []", '[]'],
    ['envelope.bodyStatus(source, sent) !== undefined', 'envelope.bodyStatus(source) !== undefined'],
    ["nothing: { proven: 'done', unproven: 'unknown'", "nothing: { proven: 'done', unproven: 'done'"],
    ["absent: 'done', failed: 'unknown', foreign", "absent: 'done', failed: 'done', foreign"],
    ["foreign: 'unknown' },\n  nothing", "foreign: 'done' },\n  nothing"],
    ["refusal: { proven: 'unknown'", "refusal: { proven: 'refused'"],
    ["return hasFailureSign || hasDuplicateCode ? 'doubt' : 'success';", "return 'success';"],
  ]),
  ...of('upstream/decoding/record-evidence', ['gateway/write-evidence', 'gateway/write-evidence-generated'], [
    ["return hasOwnId && hasMore ? 'proven' : 'unproven';", "return hasOwnId ? 'proven' : 'unproven';"],
    ["return hasOwnId && hasMore ? 'proven' : 'unproven';", "return hasMore ? 'proven' : 'unproven';"],
  ]),
  ...of('upstream/decoding/envelope', ['gateway/write-evidence'], [
    ['|| depth === 0', ''],
    ['return Object.values(value).some((member) => isMarked(member, depth - 1));', 'return Object.keys(value).length > 0;'],
    ['return Object.values(value).some((member) => isMarked(member, depth - 1));', 'return false;'],
    ['-,none,null', '-,null'],
  ]),
  ...of('upstream/decoding/envelope', ['gateway/read-evidence'], [
    ['(hasFailed || contradicts(body) ||', '(hasFailed ||'],
    ['(hasFailed || contradicts(body) ||', '(contradicts(body) ||'],
    ['|| hasErrors(body))', ')'],
    ['const isFlat = record === body;', 'const isFlat = false;'],
    ['!noErrorTexts.has(', 'noErrorTexts.has('],
    ['hasCode || others', 'others'],
    ['isBare ? [] : readFlags(body)', 'readFlags(body)'],
    ['isBare ? 1 : Infinity', 'Infinity'],
    ['others.some(isFailureWord) ||', ''],
    ['failure.read(body) === true ||', ''],
    ["typeof entries === 'string' && errors.locate", 'errors.locate'],
    ['errors.locate(body) === message.locate(body)', 'entries === message.read(body)'],
    ['others.some(isFailureWord) || namesError(body)', 'others.some(isFailureWord)'],
    ['bodyStatus(body) !== undefined || namesError(body)', 'bodyStatus(body) !== undefined'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/idempotency', 'gateway/refusal-rows'], [
    ['if (openStatuses.has(status)) return false;', ''],
    ['if (isOpen && doubts.some((doubt) => doubt.test(sentence))) return false;', ''],
    ['  /\\b(?:created|saved|opened|stored|sent|dropped|original|completed)\\b/i,', ''],
    ['if (!isOpen) return', 'return'],
    ['start.startsWith(`${word} `)', 'start.includes(word)'],
    ["words.includes('duplicate') ? databaseTexts : []", 'databaseTexts'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/writes'], [
    ['isOpen ? withoutValues(text.slice(0, maxSearchedLength), secrets) : text', 'text'],
  ]),
  ...of('upstream/operation', ['gateway/list-surprises', 'gateway/reads-together'], [['return isAgain ?', 'return body === null ?']]),
  ...of('upstream/paging/repeats', ['gateway/list-surprises'], [
    ['!isBehind && !isStart', '!isBehind'],
    ['readableIds(window.pageStarts)', 'ids'],
  ]),
  ...of('upstream/decoding/interpret-answer', ['gateway/read-evidence'], [
    ["isReadable && success.flag(body) === 'positive'", 'false'],
  ]),
  ...of('upstream/decoding/wire-money', ['gateway/read-evidence'], [
    ['text === undefined || !isSame', 'text !== undefined && !isSame'],
    ['isSame(text.trim())', 'isSame(text)'],
  ]),
  ...of('upstream/paging/page-signs', ['gateway/read-evidence'], [
    ['[rel].flat()', '[rel]'],
  ]),
  ...of('contract/money', ['gateway/money'], [
    ['[code, number, currency, name, symbol]', '[code]'],
    ["text.padStart(number.length, '0')", 'text'],
  ]),
  ...of('upstream/decoding/wire-money', ['gateway/money'], [
    ['!isSame(text.trim())', 'false'],
    ['mapped.includes(holder)) + 1', 'mapped.includes(holder))'],
    ['const holders = amount.holders(source);', 'const holders = [amount.holder(source)];'],
  ]),
];

// prettier-ignore
const redaction: readonly Mutant[] = [
  ...of('upstream/decoding/user-errors', ['gateway/errors', 'gateway/writes'], [
    ['\\d(?:[ -]?\\d){5,}|', ''],
    ['(?:[ -]?\\d){5,}', '\\d{5,}'],
    ['(?:[ -]?\\d){5,}', '(?:[ -]?\\d){6,}'],
    [".replaceAll(/[a-z][a-z0-9+.-]{0,30}:\\/\\/\\S+|\\bwww\\.\\S+/giu, '…')", ''],
    [".replaceAll(/[^\\s@…]{1,64}(?:@|%40)[^\\s@]{1,255}/giu, '…')", ''],
    [".replaceAll(/[\\p{Cc}\\p{Cf}]+/gu, ' ')", ''],
    ['clean.slice(0, maxMessageLength)', 'clean'],
    ['const sentence = text.slice(0, maxSearchedLength)', 'const sentence = text'],
    ['written.toSorted((a, b) => b.length - a.length)', 'written'],
    ["new RegExp(pattern, 'giu')", "new RegExp(pattern, 'gu')"],
    ['String.raw`\\$&`', "'$&'"],
    ['secret.length > 2 ? literal', 'secret.length > 0 ? literal'],
    ['(?:\\d{1,3}\\.){3}\\d{1,3}\\b|', ''],
  ]),
  ...of('upstream/calls/write', ['gateway/writes'], [
    [', ...credentials];', '];'],
    ['[...textsOf(input), ...sentTexts(input)]', '[]'],
    ['[...textsOf(input), ...sentTexts(input)]', 'textsOf(input)'],
    ['(text) => !names.has(text.toLowerCase())', '() => true'],
  ]),
  ...of('graphql/format-error', ['gateway/errors'], [
    [".replaceAll(/\\+?\\d{6,}/gu, '…')", ''],
    ['/\\+?\\d{6,}/', '/\\+?\\d{7,}/'],
    ['if (documentCodes.has(code)) {', 'if (code !== undefined) {'],
    ['isArgumentFault(formatted) ?', 'formatted === null ?'],
    ['if (variable === undefined) return undefined;', 'if (variable !== null) return undefined;'],
    ['whole.endsWith(`; ${message}`) ?', 'whole === message ?'],
    ['/^Field "[A-Za-z_]\\w*" is', '/^Field ".*" is'],
    [".replaceAll(/,? (?:but )?found (?!<EOF>).*$/gsu, '.')", ''],
    [".replaceAll(/(cannot represent [^:]*): .*$/gsu, '$1.')", ''],
    [".replaceAll(/^(Syntax Error: Unexpected \\w+) .*$/gsu, '$1.')", ''],
    ['.replaceAll(/[^\\s@"]{1,64}@[^\\s@"]{1,255}/gu, \'…\')', ''],
    ['whole.slice(0, maxMessageLength)', 'whole'],
  ]),
  ...of('domain/errors', ['gateway/errors'], [
    ['Object.assign(new Error(code), { name, code })', 'Object.assign(new Error(error.message), { name, code })'],
    ["super(options.message ?? messages[code], 'cause'", "super(String(options.cause ?? options.message ?? messages[code]), 'cause'"],
  ]),
];

// prettier-ignore
const disbelief: readonly Mutant[] = [
  ...of('upstream/decoding/envelope', ['gateway/write-evidence'], [[' || numberText(value) !== undefined', '']]),
  ...of('upstream/decoding/success-flag', ['gateway/write-evidence'], [
    ["isYesOrNo || !/^[01]$/.test(scalarText(flag).trim()) ? flag : undefined", 'flag'],
    ['flagsOf(body).some(isDoubtful) ||', ''],
    ['readAnswers(body).some(isUnclear)', 'false'],
    ['!isPositive(flag) && (isByValues', '(isByValues'],
    ['isByValues && flags.length > 0 && envelope.fieldErrors(body).length > 0', 'false'],
    ['isFailureStatus(scalarText(flag)) || failureWord.test(scalarText(flag))', 'failureWord.test(scalarText(flag))'],
    ['isFailureStatus(scalarText(flag)) || failureWord.test(scalarText(flag))', 'isFailureStatus(scalarText(flag))'],
  ]),
  ...of('upstream/calls/write', ['gateway/log'], [
    ['const minPersonalLength = 5', 'const minPersonalLength = 4'],
    ['const minPersonalLength = 5', 'const minPersonalLength = 6'],
    ["ended.isSent ? 'refused' : 'not sent'", "'not sent'"],
  ]),
  ...of('upstream/calls/write', ['gateway/writes'], [['result.status, result.cause);', 'undefined, result.cause);']]),
  ...of('upstream/calls/write', ['gateway/request-rows'], [
    ['sealOf(operation, scope).write(text)', "Buffer.from(text.padEnd(64, 'x').slice(-64))"],
  ]),
  ...of('upstream/paging/page-signs', ['gateway/list-surprises'], [
    ['readFrom(signs, holder, depth - 1)', 'readFrom(signs, holder, 0)'],
    ["'#', ", ''],
    ["'0', ", ''],
    ["'false', ", ''],
  ]),
  ...of('upstream/decoding/wire-money', ['gateway/money'], [
    ['!isLast || isTurned ||', 'isTurned ||'],
    ['!isLast || isTurned ||', '!isLast ||'],
    [" || /credit.*transfer/i.test(text)", ''],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/writes'], [
    ["text.normalize('NFKC').slice(0, maxSearchedLength)", 'text'],
    [String.raw`|\d(?:[^\p{L}\d…]{1,3}\d|\d){8,}`, ''],
    ['encodeURIComponent(value.toWellFormed())', 'value'],
    ['length <= 5 * text.length', 'true'],
    ['length <= 5 * text.length', 'length <= 4 * text.length'],
  ]),
  ...of('upstream/decoding/interpret-answer', ['gateway/writes'], [['status > 451', 'status >= 500']]),
  ...of('upstream/wire/http-client', ['gateway/errors'], [['code === 206', 'code === 207']]),
  ...of('upstream/decoding/request-path', ['gateway/identifiers'], [
    ["staysInPath(identifier) && staysInPath(identifier.normalize('NFKC'))", 'staysInPath(identifier)'],
    ["staysInPath(identifier) && staysInPath(identifier.normalize('NFKC'))", "staysInPath(identifier.normalize('NFKC'))"],
    ["segment.normalize('NFKC')", 'segment'],
    [String.raw`.replaceAll(/[\s\p{Cf}]/gu, '')`, ''],
  ]),
  ...of('upstream/decoding/write-evidence', ['gateway/write-evidence'], [
    ['envelope.deniesItself(record.source) ||', ''],
    ["(envelope.hasOwnValues && flag !== 'positive') ||", ''],
  ]),
  ...of('upstream/decoding/envelope', ['gateway/read-evidence', 'gateway/write-evidence'], [
    [' || deniesItself(record)', ''],
    ['/^20[0-6]$/', '/^2/'],
  ]),
  ...of('upstream/decoding/success-flag', ['gateway/write-evidence'], [['!/^[01]$/', '!/^0$/']]),
  ...of('upstream/decoding/interpret-answer', ['gateway/write-evidence'], [
    ['status !== 401 && isOpen', 'isOpen'],
    ['isWeak(answer.status) && userErrors', 'userErrors'],
    ['isOk(status) || status === 409', 'status === 409'],
    ['isOk(status) || status === 409', 'isOk(status)'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/write-evidence'], [
    ['&& !isTaken && envelope.fieldErrors(body).length === 0', '&& !isTaken'],
    ['&& !isTaken && envelope.fieldErrors(body).length === 0', '&& envelope.fieldErrors(body).length === 0'],
    ['withoutValues((envelope.errorMessage(body) ?? \'\').slice(0, maxSearchedLength), secrets)', "(envelope.errorMessage(body) ?? '')"],
  ]),
  ...of('upstream/idempotency/redis-store', ['upstream/redis-store'], [
    ["if epoch ~= '' and redis.call", "if epoch == 'none' and redis.call"],
    ["acceptsLoss ? '' : await", "await"],
    ["await client.set(epochKey, randomUUID(), { condition: 'NX' });", 'await client.set(epochKey, randomUUID());'],
  ]),
  ...of('upstream/decoding/wire-money', ['gateway/contract-rows'], [[".find((text) => text !== '')", '[0]']]),
];

// prettier-ignore
const connections: readonly Mutant[] = [
  ...of('upstream/wire/pool', ['gateway/egress-proxy'], [['headersTimeout: connectTimeoutMs,', '']]),
  ...of('upstream/wire/connection-pools', ['gateway/egress-proxy'], [['writes.destroy()', 'writes.close()']]),
  ...of('upstream/wire/pool', ['gateway/tls'], [['(socket && openedAtOf(socket)) ??', '']]),
  ...of('upstream/wire/connection-pools', ['gateway/tls'], [['latest.session = session;', '']]),
  ...of('upstream/wire/warm-connections', ['gateway/tls'], [
    ["hostname: hostname.replace(/^\\[(.*)\\]$/, '$1'),", 'hostname,'],
    [".removeListener('error', onError)", ''],
  ]),
  ...of('upstream/wire/connection-faults', ['gateway/tls'], [
    ["UNSPECIFIED: 'certificate_untrusted',", ''],
    ['|_TOO_SMALL', ''],
    ['|UNSAFE_LEGACY_RENEGOTIATION', ''],
  ]),
  ...of('upstream/wire/http-client', ['gateway/tls'], [['|| isUnconnected)', ')']]),
];

// prettier-ignore
const config: readonly Mutant[] = [
  ...of('config/config', ['gateway/config'], [
    ['mustBeSecure && leavesByProxy(settings)', 'false'],
    ["['*', service.hostname, service.host].includes(name)", 'name !== \'\''],
    ["url.protocol === 'http:' &&", "url.protocol === 'ftp:' &&"],
    ['&& !isLoopback(url)', ''],
    ["(isIP(hostname) === 4 && hostname.startsWith('127.'))", "hostname.startsWith('127.')"],
    ['!settings.ALLOW_INSECURE_UPSTREAM', 'settings !== undefined'],
    ["if (isProduction && texts['UPSTREAM_URL'] === undefined) {", 'if (texts === undefined) {'],
    ['isShared || (isProduction && store !== undefined)', 'isProduction && store !== undefined'],
    ['isShared || (isProduction && store !== undefined)', 'isShared'],
    ['if (privateKeyIn === settings.BEARER_HEADER_IN.toLowerCase()) {', 'if (privateKeyIn === settings.BEARER_HEADER_IN) {'],
    ["if (settings.PRIVATE_KEY_HEADER.toLowerCase() === 'authorization') {", "if (settings.PRIVATE_KEY_HEADER === 'authorization') {"],
    ['if (settings.TRUSTED_DOCUMENTS_ONLY &&', 'if (settings === undefined &&'],
    ['settings.INTROSPECTION ?? !isProduction', 'settings.INTROSPECTION ?? true'],
    ['(isProduction ? undefined : developmentStore)', 'developmentStore'],
    ['if (texts[name] === undefined || texts[`${name}_FILE`] === undefined) continue;', 'continue;'],
    ["(value !== '' || guards.has(name))", 'true'],
    ["(value !== '' || guards.has(name))", "value !== ''"],
    ['&& !isServiceLink(name, value)', ''],
    ['...findUnknownVariables(given, variableNames, guards),', ''],
    ['settings.UPSTREAM_TIMEOUT_MS > settings.REQUEST_TIMEOUT_MS', 'settings.UPSTREAM_TIMEOUT_MS >= settings.REQUEST_TIMEOUT_MS'],
    ["settings.IDEMPOTENCY_STORE ?? settings.IDEMPOTENCY_STORE_FILE;", 'settings.IDEMPOTENCY_STORE;'],
  ]),
  ...of('config/variables', ['gateway/config'], [
    ['ROUTER_SECRET: rules.routerSecret', 'ROUTER_SECRET: rules.credential'],
  ]),
  ...of('config/unknown-variables', ['gateway/config'], [
    ['nearest.slips > 1 && !ownPrefix', 'nearest.slips > 0 && !ownPrefix'],
    ['nearest.slips > 1 && !ownPrefix', 'nearest.slips > 1 || !ownPrefix'],
    ['if (known.includes(upper)) return', 'if (foreignName.test(name)) return'],
    ['/^(?:NODE|OTEL)_|_PROXY$/', '/^(?:NODE|OTEL)_/'],
    ['/^(?:NODE|OTEL)_|_PROXY$/', '/_PROXY$/'],
    ['return /^(?:HOST|PORT)$/.test(upper)', 'return false'],
    ['|| (name !== upper && !ownPrefix.test(upper))', ''],
    ['name !== upper && !ownPrefix', 'name !== upper || !ownPrefix'],
    ['|| isServiceLink(name, value)', ''],
    ["if (value === '' && (nearest.slips > 1 || !guards.has(nearest.name))) return [];", "if (value === '') return [];"],
    ['nearest.slips > 1 || !guards', '!guards'],
    ['|| !guards.has(nearest.name)', ''],
    ['nearestName(upper, known)', 'nearestName(name, known)'],
  ]),
  ...of('runtime/nearest-name', ['gateway/config'], [
    ['isSwapped ? at', 'isSwapped && from === to ? at'],
  ]),
  ...of('config/rules', ['gateway/config'], [
    ['&& !reservedHeader.test(value.toLowerCase())', ''],
    ['const minSecretBytes = 32;', 'const minSecretBytes = 31;'],
    ['Buffer.byteLength(value) >= minSecretBytes ?', 'value.length >= minSecretBytes ?'],
    ['{32,4096}$/', '{31,4096}$/'],
    ['&& !url.password', ''],
    ['&& !url.search', ''],
    ['URL.parse(origin)?.origin === origin', 'URL.parse(origin) !== null'],
    ['{1,4096}$/', '{1,4097}$/'],
    ['number >= minimum && number <= maximum', 'number <= maximum'],
    ['&& currencyByCode(value) !== undefined', ''],
    ['message: `allowed: ${allowed}`', 'message: `allowed: ${allowed}, found: ${value}`'],
    ['&& isEncoded(url)', ''],
    ["&& url.search !== '?durability=accept'", "&& !url.search.startsWith('?durability')"],
  ]),
];

// prettier-ignore
const promises: readonly Mutant[] = [
  ...of("client/writer", ["gateway/client-writer"], [
    ["  'UPSTREAM_TIMEOUT',\n  'UPSTREAM_UNAVAILABLE',\n]);", "  'UPSTREAM_TIMEOUT',\n]);"],
    ["  'UPSTREAM_INVALID_RESPONSE',\n", ""],
    ["errors.some(mayHaveHappened)", "errors.every(mayHaveHappened)"],
    [" ?? known;", ";"],
    ["lookup: lookup ?? last.lookup", "lookup"],
    ["  'IDEMPOTENCY_KEY_REUSED',\n  'INTERNAL", "  'INTERNAL"],
    ["input[name] == null ? []", "input[name] === undefined ? []"],
    ["(path?.length ?? 0) > 1 || ", ""],
    ["!isForeign && ", ""],
    ["stored.change(key, withoutOne)?.open === 0", "stored.change(key, withoutOne) !== undefined"],
    ["canRepeat: entry !== undefined && !isEnded", "canRepeat: !isEnded"],
  ]),
  ...of("client/pending-entry", ["gateway/client-writer"], [
    ["typeof value['key'] === 'string' && ", ""],
    ["if (entry?.key !== key) return undefined;", "if (entry === undefined) return undefined;"],
    ["open: earlier.open + 1", "open: earlier.open"],
    ["      return entry;\n    }\n  };", "      return undefined;\n    }\n  };"],
  ]),
  ...of("client/describe-error", ["gateway/client"], [
    ["status === 401 || ", ""],
    ["/^\\d+$/.test(text)", "text !== ''"],
    ["requestId, retryAfterSeconds, canRetry: passingCodes.has(code) }", "requestId, retryAfterSeconds: undefined, canRetry: passingCodes.has(code) }"],
    ["canRetry: passingCodes.has(code) };", "canRetry: true };"],
    ["  'UPSTREAM_TIMEOUT',\n", ""],
    ["const [first] = gatewayErrors(error);", "const first = gatewayErrors(error).at(-1);"],
  ]),
  ...of("client/sentences", ["gateway/client"], [
    ["'We do not know yet whether this was done. Please look it up before you try again.'", "'This was not done. Please try it again in a moment.'"],
    ["'This was sent before with other values. Please look up what became of it.'", "'Nothing was sent at all. Please try it again in a moment.'"],
  ]),
  ...of("http/response-headers", ["gateway/http"], [
    ["  'cross-origin-resource-policy': 'same-origin',\n", ""],
  ]),
  ...of("http/cors", ["gateway/http"], [
    ["      'idempotency-key',\n", ""],
    ["exposedHeaders: ['x-request-id', 'retry-after'],", "exposedHeaders: [],"],
  ]),
  ...of("http/explorer/explorer", ["gateway/explorer"], [
    ["  \"frame-ancestors 'none'\",\n", ""],
  ]),
  ...of("upstream/decoding/user-errors", ["gateway/writes"], [
    ["|\\b[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,8}:\\d{2,5}\\b", ""],
    ["|\\bat \\S+ ?\\(\\S+:\\d", ""],
    ["|\\b(?:ORA|PLS)-\\d", ""],
    ["|\\bconstraint\\b", ""],
  ]),
  ...of("upstream/decoding/user-errors", ["gateway/write-evidence"], [
    ["new Set([408, 502, 503, 504]);", "new Set([408, 502, 504]);"],
    ["new Set([408, 502, 503, 504]);", "new Set([408, 502, 503]);"],
  ]),
  ...of("domain/errors", ["gateway/log"], [
    ["|OUTCOME_", ""],
    ["|RATE_LIMITED$", ""],
    ["|IDEMPOTENCY_STORE_", ""],
    ["|CONTRACT_", ""],
    ["|OVERLOADED$", ""],
  ]),
  ...of("commands/contract-overrides", ["gateway/contract-cases"], [
    [".filter(([id, value]) => Object.hasOwn(overrides, id) && overrides[id] !== value)", ".filter(([, value]) => value === '')"],
    ["    ...(currency === undefined ? {} : { 'money.currency': currency }),\n", ""],
  ]),
  ...of("config/config", ["gateway/config"], [
    ["(isProduction ? 5_000 : 0)", "0"],
    ["endpoint === undefined || settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none'", "endpoint === undefined"],
    ["settings.no_proxy ?? settings.NO_PROXY", "settings.NO_PROXY"],
    ["settings.https_proxy ?? settings.HTTPS_PROXY", "settings.HTTPS_PROXY ?? settings.https_proxy"],
  ]),
  ...of("upstream/decoding/extra-fields", ["gateway/extra-rows"], [
    ["CustomerTransaction: { unit: 'transaction.unit', currency", "CustomerTransaction: { unit: 'money.unit', currency"],
    ["OneTimeAccount: { unit: 'account.unit'", "OneTimeAccount: { unit: 'money.unit'"],
    ["CustomerTransaction: { unit: 'transaction.unit', currency: 'transaction.currency' }", "CustomerTransaction: { unit: 'transaction.unit' }"],
    ["VirtualAccount: { unit: 'account.unit', currency: 'account.currency' },\n  OneTime", "VirtualAccount: { unit: 'money.unit', currency: 'account.currency' },\n  OneTime"],
  ]),
  ...of("upstream/decoding/encode-input", ["gateway/extra-rows"], [
    ["name === 'createCustomerOneTimeAccount' ? `${name}.unit` : 'money.unit'", "'money.unit'"],
  ]),
  ...of("upstream/decoding/record-evidence", ["gateway/write-evidence"], [
    [">= 5;", ">= 1;"],
    ["kind === 'account' || contract[`${kind}.identifiedBy`] !== 'none'", "contract['customer.identifiedBy'] !== 'none'"],
    ["/[*•]/", "/[*]/"],
  ]),
  ...of("upstream/decoding/wire-money", ["gateway/money"], [
    ["wallet|account|", "account|"],
    ["fail\\w*|", ""],
    ["fees?|", ""],
    ["chargebacks?|", ""],
  ]),
  ...of("upstream/decoding/success-flag", ["gateway/write-evidence"], [
    ["|invalid|denied|unauthori", "|invalid|unauthori"],
  ]),
  ...of("upstream/decoding/write-evidence", ["gateway/write-evidence"], [
    ["new Set([400, 401, 403, 404, 409, 422, 429])", "new Set([400, 401, 404, 409, 422, 429])"],
    ["failed: 'refused', foreign: 'refused' },\n  duplicate", "failed: 'refused', foreign: 'unknown' },\n  duplicate"],
    ["failed: 'refused', foreign: 'refused' },\n  doubt", "failed: 'unknown', foreign: 'refused' },\n  doubt"],
    ["isOpen && !isDuplicate ?", "isOpen ?"],
  ]),
  ...of("upstream/decoding/interpret-answer", ["gateway/write-evidence"], [
    ["status === 408 || status > 451", "status === 408 || status > 498"],
    ["status === 408 || status > 451", "status === 408 || status > 430"],
  ]),
  ...of("upstream/credentials/request-headers", ["gateway/request-rows"], [
    ["[operation, key, method, path, body]", "[operation, key, method, body]"],
    ["[operation, key, method, path, body]", "[operation, key, path, body]"],
    ["[operation, key, method, path, body]", "[key, method, path, body]"],
  ]),
  ...of("upstream/wire/http-client", ["gateway/errors"], [
    ["if (retryAfter === undefined) return undefined;\n  if (/^\\d{1,9}$/.test(retryAfter)) return Math.min(Number(retryAfter), maxRetryAfterSeconds);", "if (retryAfter === undefined) return undefined;\n  if (/^\\d{1,9}$/.test(retryAfter)) return Number(retryAfter);"],
    ["Math.ceil((moment - Date.now()) / 1000)), maxRetryAfterSeconds)", "Math.ceil((moment - Date.now()) / 1000)), Infinity)"],
    ["Math.ceil((moment - Date.now()) / 1000)", "0"],
  ]),
  ...of("telemetry/graphql-metrics", ["gateway/metrics"], [["if (!codes.has(error.path?.[0])) codes", "codes"]]),
  ...of("telemetry/metric-definitions", ["gateway/metrics"], [
    ["() => state()[kind].inFlight", "() => state().read.inFlight - state().write.inFlight"],
    ["() => state()[kind].waiting", "() => 0"],
    ["in progress.', requestsInFlight", "in progress.', () => 0"],
  ]),
  ...of("graphql/context", ["gateway/log"], [["clientClosedRequest = 499", "clientClosedRequest = 200"]]),
  ...of("http/request-lifecycle", ["gateway/log"], [
    ["raw.writableFinished ?", "raw.headersSent || raw.statusCode === 200 ?"],
  ]),
  ...of("contract/extra-rows", ["gateway/extra-rows"], [
    ["|ssn|tin|", "|tin|"],
    ["|tin|passport", "|passport"],
    ["v?nin|", "nin|"],
    ["(?:no|num|number)", "(?:number)"],
    ["(?:id|identity|identification) ?", "(?:id|identity) ?"],
    ["|social ?security", ""],
    ["|voters? ?(?:id|card)", ""],
    ["|drivers? ?licen[cs]e", ""],
  ]),
  ...of("upstream/idempotency/sqlite-entries", ["gateway/idempotency"], [
    ["recursive: true, mode: 0o700", "recursive: true, mode: 0o755"],
    ["openSync(path, 'a', 0o600)", "openSync(path, 'a', 0o644)"],
  ]),
  ...of("upstream/connect", ["gateway/idempotency"], [
    ["log.error({ key: id.slice(0, 12), ...describeError(plainCause(error)) }, 'an outcome was not recorded')", "void [id, error]"],
  ]),
  ...of("upstream/connect", ["gateway/tls"], [["const faultLogMs = 60_000", "const faultLogMs = -1"]]),
  ...of("upstream/decoding/wire-money", ["gateway/money"], [["'iso_currency', ", ""]]),
  ...of("upstream/accounts", ["gateway/money"], [["currency: 'account.currency'", "currency: 'transaction.currency'"]]),
  ...of("commands/main", ["gateway/command-line"], [
    ["process.exit(130);", "process.exit(0);"],
    ["else if (signal !== 'SIGHUP' && performance.now() - stoppingSince >= repeatedMs) process.exit(130);", ""],
  ]),
  ...of("graphql/sandbox", ["gateway/http"], [["{ runTelemetry: false }", "{}"]]),
  ...of("upstream/paging/filter", ["upstream/styles"], [
    ["number.padStart(count, '0')", "number"],
    ["parameter: contract[`${list}.search`]", "parameter: contract['listCustomers.search']"],
  ]),
  ...of("upstream/decoding/envelope", ["gateway/write-evidence"], [
    ["/(?:success|successful|ok)$/i", "/(?:success|successful)$/i"],
    ["/(?:success|successful|ok)$/i", "/(?:success|ok)$/i"],
    ["/(?:success|successful|ok)$/i", "/(?:success|successful|ok)/i"],
  ]),
  ...of("upstream/credentials/credentials", ["gateway/credentials"], [
    ["value === undefined ? callers.bearer : callers.privateKey", "value === undefined ? callers.privateKey : callers.bearer"],
    ["value === undefined ? callers.bearer : callers.privateKey", "value === null ? callers.bearer : callers.privateKey"],
  ]),
  ...of("commands/contract-check/prober", ["gateway/check-pages"], [["const maxCalls = 60", "const maxCalls = 61"]]),
  ...of("upstream/calls/throttle", ["upstream/throttle"], [
    ["nextProber === undefined || evidence.probedAt < nextProber.probedAt)", "nextProber === undefined)"],
    ["everybody.window.at(now).refused += 1;", ""],
    ["if (now - failedAt > windowSeconds * 1000) return 1;", ""],
    ["results === 0 ? 0 :", "results === 0 ? 1 :"],
    ["isKnownGood(evidence, now) && passShare(evidence, now) > 0", "isKnownGood(evidence, now)"],
  ]),
  ...of("upstream/calls/fair-queue", ["upstream/queue"], [
    ["const waitingPerCallInFlight = 64;", "const waitingPerCallInFlight = 32;"],
    ["callers.dropIfIdle(caller);\n        entry.onAdmission('full');", "entry.onAdmission('full');"],
    ["callers.removeWaiting(caller, entry);\n      callers.dropIfIdle(caller);", "callers.removeWaiting(caller, entry);"],
    ["callers.end(caller);\n      callers.dropIfIdle(caller);", "callers.end(caller);"],
    ["?? Math.min(durationMs, ofAll)", "?? durationMs"],
  ]),
  ...of("upstream/calls/attempt", ["upstream/throttle"], [
    ["startedAt >= lifetime.deadline - 1", "false"],
    ["if (lifetime.isOver()) return endAdmitted(this, notSent('over'), admittedAt);", ""],
    ["if (result.reason === 'malformed') return false;", ""],
    ["(result.reason === 'over' && now >= lifetime.deadline - 1)", "result.reason === 'over'"],
    ["Math.min(timeoutMs, requestTimeoutMs) / 2", "timeoutMs / 2"],
  ]),
  ...of("upstream/decoding/interpret-answer", ["gateway/read-evidence"], [["&& !envelope.hasOwnValues", ""]]),
  ...of("upstream/decoding/user-errors", ["gateway/writes"], [["\\p{Cc}\\p{Cf}", "\\p{Cc}"]]),
  ...of("upstream/decoding/date-time", ["upstream/values"], [["const canonical = /^(?!0000)", "const canonical = /^"]]),
  ...of("upstream/decoding/wire-money", ["gateway/contract-rows"], [["turningWords.test(word) && !isOwn(word)", "turningWords.test(word)"]]),
  ...of("upstream/credentials/credentials", ["gateway/credentials"], [
    ["digest(JSON.stringify([privateKey, bearer]))", "digest(`${privateKey}${bearer}`)"],
    ["JSON.stringify([bearer, privateKey])", "`${bearer}${privateKey}`"],
  ]),
  ...of("upstream/wire/http-client", ["gateway/errors"], [["||\n    code === 'UND_ERR_HEADERS_OVERFLOW'", ""]]),
  ...of("telemetry/metrics", ["gateway/metrics"], [
    ["if (fault !== undefined) meters.storeFailures", "meters.storeFailures"],
    ["reason === 'over' && isSent &&", "reason === 'over' &&"],
    ["&& performance.now() >= lifetime.deadline - 1 ?", "?"],
    ["callDuration.observe({ operation }, durationMs / 1000);", "callDuration.observe({ operation }, durationMs);"],
  ]),
  ...of("telemetry/graphql-metrics", ["gateway/metrics"], [
    ["(performance.now() - startedAt) / 1000", "performance.now() - startedAt"],
    ["resolved === undefined || data === undefined", "resolved === undefined"],
  ]),
  ...of("telemetry/not-found-watch", ["gateway/metrics"], [
    ["const suspiciousCount = 20;", "const suspiciousCount = 21;"],
    ["|| status >= 500", ""],
    ["408, 421, 429]", "408, 421]"],
  ]),
  ...of("telemetry/metric-definitions", ["gateway/metrics"], [
    ["'timeout', 'down'] as const", "'timeout'] as const"],
    ["for (const status of [200, 503]) requests.inc({ status }, 0);", ""],
    ["['claim', 'settle', 'free']", "['claim', 'settle']"],
  ]),
  ...of("upstream/decoding/user-errors", ["gateway/refusal-rows"], [["isOpen && !isTaken", "isOpen"]]),
  ...of('upstream/decoding/user-errors', ['gateway/write-evidence'], [[' || pendingAlone.test(sentence)', '']]),
  ...of("client/money", ["gateway/client"], [["minimumFractionDigits: digits, ", ""]]),
  ...of("telemetry/request-log", ["gateway/log"], [
    ["name?.value.slice(0, maxNameLength)", "name?.value"],
    ["codes.length > 1 ? codes.length : undefined", "codes.length"],
  ]),
  ...of('upstream/paging/numbered-pages', ['gateway/paging-ends'], [
    ['    if (lastPage !== null) return lastPage;\n', ''],
    ['if (last.lastPage !== null) return last.lastPage > number;', ''],
    ['Math.max(to - before, 0)', 'to - before'],
  ]),
  ...of('http/overload-protection', ['gateway/admission'], [
    [' || inFlight >= 2 * maxRequestsInFlight', ''],
    ['places.delay(caller, -1);\n', '\n'],
  ]),
  ...of('http/shutdown/graceful-shutdown', ['gateway/drain'], [
    ["headers['transfer-encoding'] === undefined && ", ''],
    ['requestTimeoutMs + slackMs)', 'slackMs)'],
  ]),
  ...of('upstream/calls/throttle', ['upstream/throttle'], [['      nextProber = undefined;\n', '']]),
  ...of('upstream/calls/fair-queue', ['upstream/queue'], [
    ['turns.length() - Math.sign(waitingCount)', 'turns.length()'],
    ['other === caller || ', ''],
    ['        others -= 1;\n', ''],
    ['Math.min(maxInFlightPerCaller, maxInFlight),\n', 'maxInFlight,\n'],
  ]),
  ...of('graphql/execution/run-plan', ['gateway/executor'], [
    ['return failAfter(awaited, error);', 'throw error;'],
    ['isCompleted ? arrived : settle', 'settle'],
  ]),
  ...of('graphql/execution/error-placement', ['gateway/executor'], [
    ["if (nulledPaths.has(keys.slice(0, length).join(' '))) return;", ''],
  ]),
  ...of('graphql/limits/document-limits', ['gateway/limits'], [['fragments.set(name, emptySize);', '']]),
  ...of('graphql/limits/operation-cost', ['gateway/cost'], [
    ['Math.max(0, Math.floor((maximumCalls - others) / mostCalls))', 'Math.floor((maximumCalls - others) / mostCalls)'],
  ]),
  ...of('upstream/paging/repeats', ['gateway/list-surprises'], [["query === '' ? '?' : `${query}&`", 'query']]),
  ...of('http/malformed-requests', ['gateway/http'], [["response.on('close', () => answers.delete(response));", '']]),
  ...of('http/bodies/chunked-body', ['gateway/unread-bodies'], [
    ['    if (isTooLarge) return;\n', ''],
    ['if (!isTooLarge) joined.push(bytes.subarray(0, length));', 'joined.push(bytes.subarray(0, length));'],
  ]),
  ...of('upstream/paging/token-pages', ['gateway/paging-ends'], [['next ?? resumes.at(-1) ?? null', 'next']]),
  ...of('upstream/paging/token-pages', ['gateway/cost'], [
    ['Math.max(Math.min(size, cap) - index, 0)', 'size - index'],
    ['+ (isInside ? 1 : 0)', ''],
  ]),
  ...of('upstream/wire/answer-turns', ['upstream/lines'], [
    ['if (answers.length > 0) waiting.set(caller, answers);', ''],
  ]),
  ...of('upstream/paging/token-pages', ['gateway/list-surprises'], [['isFirstPage ? 1 : null', '1']]),
  ...of('upstream/wire/connection-pools', ['upstream/lines'], [['        handler.connection = connection;\n', '']]),
  ...of('upstream/paging/page-signs', ['gateway/list-surprises'], [['return value >= 1;', 'return value >= 0;']]),
  ...of('http/request-id', ['gateway/log'], [['request[requestIdKey] ??= readRequestId', 'request[requestIdKey] = readRequestId']]),
  ...of('upstream/wire/pool', ['upstream/lines'], [['if (handler.connection === undefined) onAssigned?.();', 'onAssigned?.();']]),
  ...of('upstream/wire/http-client', ['upstream/lines'], [
    ['  if (exchange.isSettled) return;\n', ''],
    ['  controller?.abort(new Error(reason));\n', ''],
  ]),
  ...of('upstream/paging/page-signs', ['gateway/list-surprises'], [['Number.isInteger(count) && count >= 0', 'count >= 0']]),
  ...of('upstream/calls/read', ['upstream/retry'], [
    ["if (result.kind === 'answer') result.connection?.close();", ''],
    ['freshConnection: true', 'freshConnection: false'],
    ['request.freshConnection !== true && ', ''],
  ]),
  ...of('upstream/wire/warm-connections', ['gateway/tls'], [
    ['        openIn(replaceMs);\n', ''],
    ['          openIn(retryMs, replaced);\n', ''],
    [".once('close', drop)", ''],
  ]),
  ...of('graphql/explain/call-recorder', ['gateway/explained-calls'], [['(connection?.requests ?? 0) > 1', '(connection?.requests ?? 0) > 0']]),
  ...of('graphql/explain/explain-operation', ['gateway/explain'], [['.filter((name) => valued[name] === undefined)', ''], ['(fields.get(key)?.calls ?? 0) + calls', 'calls']]),
  ...of('telemetry/request-log', ['gateway/log'], [["context !== undefined && status < 400 ? 'OK'", "context !== undefined ? 'OK'"]]),
  ...of('client/describe-error', ['gateway/client'], [
    ["status >= 400 ? 'BAD", "status > 400 ? 'BAD"],
    ['{ sentence, code: undefined,', '{ sentence, code,'],
    ['code === undefined || passingCodes.has(code)', "passingCodes.has(code ?? '')"],
    ['headers?.get?.(name)', 'headers?.get(name)'],
    ['if (isObject(response)) return response;', 'if (response !== undefined) return response;'],
  ]),
  ...of('client/writer', ['gateway/client-writer'], [
    ['remember.every((name)', 'remember.some((name)'],
    ["is: 'done', payload, error }", "is: 'done', payload, error: undefined }"],
  ]),
  ...of('upstream/decoding/date-time', ['upstream/values'], [
    ['count >= 1e11', 'count > 1e11'],
    ['count < 1e14', 'count <= 1e14'],
    ['count >= 1e8', 'count > 1e8'],
    ['>= firstMoment', '> firstMoment'],
    ['<= lastMoment', '< lastMoment'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/writes'], [
    ['clean.slice(0, maxMessageLength).toWellFormed()', 'clean.slice(0, maxMessageLength)'],
    ['encodeURIComponent(value.toWellFormed())', 'encodeURIComponent(value)'],
    ["secret === '' || ", ''],
    ['secret.length > 2 ?', 'secret.length > 3 ?'],
    ['secret.length > 2 ?', 'secret.length > 1 ?'],
    ['(?:@|%40)', '@'],
  ]),
];

/** Every mutant, by what it endangers. */
export const mutants: readonly Mutant[] = [
  ...credentials,
  ...money,
  ...identifiers,
  ...idempotency,
  ...limits,
  ...cost,
  ...throttle,
  ...paging,
  ...evidence,
  ...redaction,
  ...disbelief,
  ...connections,
  ...config,
  ...promises,
];
