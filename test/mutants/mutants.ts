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
    [
      'if (credentials.rejected.includes(name)) throw rejectionError(credentials, operation, [name]);',
      '',
      'the call would be withdrawn with the same error after it has waited',
    ],
    ['if (!isAhead) credentials.rejected.push(...names);', ''],
    ['if (rejectedNames.length > 0) return rejectionError(credentials, operation, rejectedNames);', ''],
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
  ...of('upstream/calls/write', ['gateway/log'], [
    ['/^\\+?\\d[\\d -]*$/.test(text)', '/\\+?\\d[\\d -]*$/.test(text)'],
  ]),
  ...of('upstream/calls/write', ['gateway/credentials'], [
    ['requireCredentials(scope.credentials, operation);', ''],
    ['value?.split(', 'value!.split('],
  ]),
  ...of('graphql/apollo-server', ['gateway/http'], [['csrfPrevention: true', 'csrfPrevention: false']]),
  ...of('graphql/context', ['gateway/credentials', 'gateway/idempotency'], [
    ['values.length === 1 &&', 'values.length >= 1 &&'],
    ['&& value.length <= maxCredentialBytes', ''],
    ['/^Bearer ([\\x21-\\x7e]+)$/i', '/^Bearer (.+)$/i'],
    ['/^Bearer ([\\x21-\\x7e]+)$/i', '/^(?:Bearer )?([\\x21-\\x7e]+)$/i'],
    ['/^([\\x21-\\x7e]+)$/', '/^(.+)$/'],
    ['return { header, value: scheme + token,', 'return { header, value,'],
  ]),
      ...of('http/router-secret', ['gateway/trusted-documents'], [
    ['timingSafeEqual(digest(value), expected)', 'value.length === secret.length'],
    ['if (secret === undefined) return () => false;', 'if (secret === undefined) return () => true;'],
    ['value !== undefined && timingSafeEqual', 'value === undefined || timingSafeEqual'],
    ['if (isRefused && isRouter(request))', 'if (isRefused)'],
    ["('x-router-secret')?.join(', ')", "('x-router-secret')?.[0]"],
  ]),
            ...of('http/trusted-documents-file', ['gateway/trusted-documents'], [
    ["hash('sha256', body, 'hex') === id", "hash('sha256', body, 'hex').length === id.length"],
  ]),
  ...of('http/cors', ['gateway/http'], [
    ["...(isProduction ? [] : [privateKeyHeaderIn, 'x-explain'])", 'privateKeyHeaderIn'],
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
    ['if (to - from >= longLength &&', 'if (to - from > longLength &&'],
    ['crossed = to;', ''],
    ["Buffer.from('\\uFEFF:[,- \\t\\r\\n')", "Buffer.from(':[,- \\t\\r\\n')"],
    [":[,- \\t\\r\\n')", ":[,- \\r\\n')"],
    [":[,- \\t\\r\\n')", "[,- \\t\\r\\n')"],
    ["new Set([undefined, ...", "new Set([..."],
    ['&& !isDigitOrPoint(body[crossed + longLength / 2])', ''],
    ['value.isWellFormed() ? value : brokenText;', 'value;'],
    [String.raw`|(u[dD][89a-fA-F])|\\)/g`, '|(u[dD][89a-fA-F]))/g'],
  ]),
  ...of('upstream/decoding/wire-money', ['gateway/money', 'upstream/amounts'], [
    ["isNegative ? 'DEBIT' : 'UNKNOWN'", "'UNKNOWN'"],
    [' && !isZero(amount)', ''],
    ['major.read(source) ?? minor.read(source)', 'major.read(source)'],
    ['amount: money.amount.slice(1)', 'amount: money.amount'],
    ['(amount !== undefined && amount !== exact)', 'amount === null'],
    ["if (unit === null && minorValue === undefined) return undecidedValue(location, 'money.unit');", ''],
    ["if (currencyText === null) return undecidedValue(location, 'money.currency');", ''],
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
      ...of('upstream/record-operations', ['gateway/identification'], [
    ["by.filter((name) => (fields[name] ?? '') !== '')", 'by'],
  ]),
        ...of('contract/contract', ['gateway/contract-rows'], [["Object.entries(ownWords ?? contract['status.words'])", "Object.entries(contract['status.words'])"]]),
          ...of('upstream/customers', ['gateway/money'], [["requireMoneyDecisions(contract, 'balance.unit', read.name);", '']]),
  ...of('contract/contract', ['gateway/money'], [['if (unit === null) throw', 'if (unit === undefined) throw']]),
  ...of('contract/contract', ['upstream/styles'], [["contract[row] ?? embedded ?? contract['money.unit']", "contract['money.unit']"]]),
  ...of('graphql/resolvers/scalars', ['gateway/money'], [
    ['/[1-9]/.test(amount) &&', ''],
    ['<= maxDigits', '<= maxDigits + 1'],
    ['node.kind === Kind.STRING ? node.value : undefined', "'value' in node ? node.value : undefined"],
    ['/^\\d+(', '/^-?\\d+('],
    ["value.replace(/^0+(?=\\d)/, '')", 'value'],
    ['{ nodes, extensions', '{ extensions'],
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
  ...of('upstream/operation', ['gateway/addressing'], [['${path}\\n${body}\\n', '${path}\\n']]),
  ...of('upstream/operation', ['gateway/path-fields'], [['\\n${identifier}`;', '`;']]),
  ...of('upstream/customers', ['upstream/styles'], [
    [' || object === source', ''],
  ]),
          ...of('contract/addressing', ['gateway/wire'], [['field !== place && isSameOrNested', 'isSameOrAbove']]),
    ...of('contract/addressing', ['gateway/addressing'], [
    ["=== 'GET') return { id: row", "=== 'PUT') return { id: row"],
    ["values[id] === 'body' && ", 'values[id] === null && '],
    ['isTaken = reservedNames(', 'isTaken = [""].concat().some(() => false) && reservedNames('],
    ['return isTaken ? {', 'return false ? {'],
    [', ...(field.startsWith(`${wrapper}/`) ? [] : [wrapper])', ''],
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
    ...of('upstream/decoding/field-decoders', ['gateway/money'], [
    ['retryable: !writes.has(operation)', 'retryable: true'],
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
  ...of('graphql/resolvers/selected-fields', ['gateway/entities'], [['ofNodes.get(type) ??', '[...ofNodes.values()][0] ??']]),
  ...of('graphql/resolvers/read-entity', ['gateway/reads-together'], [
    ['const ahead: Context = { ...context, ...context.ahead };', 'const ahead: Context = context;'],
    ['operation.readAhead.has(definition.name)', 'definition === undefined'],
    ['|| !context.ahead.isSent(operation, identifier)', ''],
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
    ...of('graphql/sandbox', ['gateway/http'], [['includeCookies: false', 'includeCookies: true']]),
  ...of('graphql/errors/error-log', ['gateway/log'], [
    ["if (gatewayError?.code === 'UPSTREAM_TIMEOUT' && hasClientLeft()) continue;", ''],
    ['tokenLimitError(error) ?? gatewayErrorIn(error)', 'gatewayErrorIn(error)'],
  ]),
    ...of('upstream/calls/failure-errors', ['gateway/log'], [['cause ?? codedError(reason)', 'cause']]),
  ...of('upstream/calls/failure-errors', ['gateway/errors'], [
    ['invalidAnswer(operation, status, {', 'invalidAnswer(operation, status ?? 200, {'],
    ['{ upstreamStatus: status };', '{};'],
  ]),
  ...of('upstream/connect', ['gateway/idempotency'], [['key: id.slice(0, 12), ', '']]),
  ...of('commands/contract', ['gateway/command-line'], [
    ['if (write !== undefined) requireOwnFile(write, config.contractFile);', ''],
    ['size > 0 && !isSameFile(file, contractFile)', 'size > 0'],
  ]),
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
  ...of('upstream/calls/attempt', ['gateway/explained-calls'], [
    ['trace === undefined ? 0 : now - admittedAt', 'now - admittedAt'],
    ['scope.callRecord.sentAt = admittedAt;', ''],
    ['isAhead: request.isAhead === true,', 'isAhead: true,'],
  ]),
    ...of('upstream/wire/answer-headers', ['gateway/errors'], [
    ['Math.ceil((moment', 'Math.floor((moment'],
    ['readDate(date) || Date.now()', 'Date.now()'],
  ]),
  ...of('upstream/wire/http-client', ['gateway/errors'], [
    ["error.name === 'HTTPParserError'", "error.name === ''"],
  ]),
  ...of('upstream/wire/connection-pools', ['upstream/lines'], [
    [' || client.closed', ''],
  ]),
  ...of('upstream/wire/pool', ['upstream/lines'], [
    ['    connection.error = undefined;\n', ''],
    ["      socket?.once('end', () => connection.paused?.resume());\n", ''],
    ['      connection.requests = 1;\n', ''],
  ]),
  ...of('graphql/loader', ['gateway/identifiers'], [
    ['operation.canonical !== undefined;', 'operation === undefined;'],
    ['clear: () => caches.clear(),', 'clear: () => {},'],
  ]),
  ...of('graphql/resolvers/isolate-entities', ['gateway/hardening'], [["'__resolveReference' in (resolvers[name] ?? {})", 'name in resolvers'], ["typeof name === 'string' && ", '']]),
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
    ['if (attempts === settleAttempts) throw error;', 'throw error;'],
    ['await Promise.all(unsettled);', ''],
    ['if (entry !== undefined) return recorded(keptIn(entry, id, seal));', ''],
  ]),
  ...of('upstream/idempotency/idempotency', ['gateway/log'], [
    ['packed.writeUInt16BE(status);', 'packed.writeUInt16BE(200);'],
    ['unpack(seal.open(unknownId(id), sealed)).status', 'undefined'],
  ]),
  ...of('upstream/idempotency/idempotency', ['upstream/idempotency-waiters'], [
    ['const details = { operation, retryable: true };', 'const details = { operation, retryable: false };'],
    ["if (claimed === undefined) throw storeError('slow');", 'if (claimed === undefined) return undefined;'],
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
    ['waiting.splice(0, maxGroupLength)', 'waiting.splice(0, 1)'],
    ["answered.get(id) ?? { fault: 'slow' }", 'answered.get(id) ?? { value: undefined }'],
  ]),
  ...of('upstream/idempotency/watched-store', ['upstream/idempotency-store'], [['isAnswered = true;', '']]),
  ...of('upstream/idempotency/watched-store', ['gateway/metrics'], [['      report();\n', '']]),
  ...of('upstream/idempotency/sqlite-store', ['upstream/idempotency-groups'], [
    ['if (thread.hasEnded() && !isClosed) thread', 'if (isClosed) thread'],
    ['thread = startThread(path, file);', 'thread = startThread(path);'],
    ['answer(threadEnded);', 'answer({ value: undefined });'],
    ["if (waiting.size >= maxCommands) return resolve({ fault: 'slow' });", ''],
  ]),
      ...of('upstream/idempotency/sqlite-entries', ['upstream/idempotency-groups'], [
    ['if (!database.isTransaction) throw error;', ''],
    ["if (identify(path, log) !== identity) throw storeError('away', fileReplaced);", ''],
    ["if (identify(index) !== indexIdentity) throw storeError('away', fileReplaced);", ''],
    ["if (file !== '' && identityOf(path) !== file) throw storeError('away', fileReplaced);", ''],
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
    ['synchronous = FULL;', 'synchronous = OFF;', 'shows when a machine loses its power only, which no test can do'],
  ]),
  ...of('upstream/idempotency/redis-connection', ['upstream/redis-store'], [
    ['error instanceof ErrorReply ? replicaReplies.has(reason) : isSilent', 'isSilent'],
    ['inTime(client.connect(), connectTimeoutMs)', 'client.connect()'],
    ['if (!isStarted || isClosed || ', 'if (isClosed || '],
    ['throw withReason(error);\n      });', 'throw error;\n      });', 'the client has told its listener of the same error before'],
  ]),
  ...of('telemetry/request-log', ['gateway/log'], [
    [" && ['claim', failing.command].includes(command)", ''],
    ["['claim', failing.command]", "['claim']"],
    ['new Set(failing?.reported).add(kind)', 'new Set([kind])'],
    ['`${fault} ${cause}`', '`${fault}`'],
  ]),
  ...of('upstream/idempotency/redis-store', ['upstream/redis-store'], [
    ['    await probe().catch(refuseWithoutWrites);\n', ''],
    ["reason === 'LOADING'", "reason !== 'LOADING'"],
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
  ...of('graphql/limits/operation-gate', ['gateway/errors'], [["code: 'BAD_USER_INPUT', http: { status: 400 }", "code: 'BAD_USER_INPUT'"]]),
  ...of('graphql/limits/selection-cost', ['gateway/limits'], [
    ['Array.isArray(references) ? references : [references]', '[references].flat()'],
  ]),
  ...of('graphql/limits/operation-gate', ['gateway/trusted-documents'], [["every(([, field]) => field === '_entities')", "some(([, field]) => field === '_entities')"]]),
  ...of('graphql/limits/operation-gate', ['gateway/entities', 'gateway/trusted-documents'], [
    ["!isOpen && rootFieldsOf", "isOpen && rootFieldsOf"],
    ['const isOpen = introspection || isRouter;', 'const isOpen = true;'],
    ['const isOpen = introspection || isRouter;', 'const isOpen = introspection;'],
  ]),
  ...of('graphql/limits/root-fields', ['gateway/entities'], [['() => false', '({ directives = [] }) => directives.length > 0']]),
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
    ["cursor === undefined || typeof cursor === 'string' ? cursor : ''", 'cursor as string'],
    ['? calls : 0;', '? 0 : 0;'],
    ['calls: records * ofRecord, records', 'calls: ofRecord, records'],
    ['return typeName === name;', 'return true;'],
    ['Array.isArray(references) ? references : [references]', '[references]'],
    ['Array.isArray(references) ? references : [references]', 'Array.isArray(references) ? references : references'],
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
  ]),
  ...of('graphql/explain/call-recorder', ['gateway/explained-calls'], [
    ['if (!ahead) use.count += 1;', 'use.count += 1;'],
    ['uses = new Map();', ''],
    ["hasWaited ? 'in flight'", "!hasWaited ? 'in flight'"],
    ['callRecord.wireMs += wireMs;', 'callRecord.wireMs += 1000;'],
    ["&& outcome !== 'not sent'", ''],
  ]),
  ...of('graphql/explain/schema-path', ['gateway/explained-calls'], [["selected[0]?.name.value ?? ''", "selected[0]?.alias?.value ?? ''"]]),
  ...of('graphql/resolvers/field-costs', ['gateway/cost'], [["if (name !== '__resolveReference') fields", 'if (name !== undefined) fields']]),
  ...of('graphql/collect-fields', ['gateway/cost', 'gateway/cost-generated'], [
    ["isTrue === (directive.name.value === 'skip')", "isTrue !== (directive.name.value === 'skip')"],
    ['return isAbstractType(abstract) && schema.isSubType(abstract, type);', 'return true;'],
    ['else nodes.push(selection);', ''],
    ['>([operation]);', '>([operation, ...Object.values(fragments)]);'],
    ['if (fragment !== undefined) nodes.add(fragment);', ''],
  ]),
  ...of('upstream/record-operations', ['gateway/cost'], [['{ calls: 2, records: 1 }', '{ calls: 1, records: 1 }']]),
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
    ['hasRecentSuccess(evidence, now) ? minFailingCallersForAll : minFailingCallers;', 'minFailingCallers;'],
    ['if (failed && sentAt < evidence.recoveredAt) return;', ''],
    ['evidence.window.clear();', ''],
    ['!failed && passShare(evidence, now) === 0', '!failed && passShare(evidence, now) < 1'],
    ['hasRecentSuccess(evidence, now) && passShare', 'passShare'],
    ['evidence.credit -= 1;', 'evidence.credit = 0;', 'the same where the share divides one'],
    ['|| evidence.probedAt <= nextProber.probedAt', '|| true'],
    ['|| dueMs >= probeIntervalMs;', ';'],
    ['if (passShare(allCallers, now) > 0) return now', 'if (allCallers === evidence) return now'],
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
    ['now >= lifetime.deadline - 1);', 'now >= lifetime.deadline);'],
    ['lane.throttle.record(caller, admittedAt, failed, now);', 'lane.throttle.record(operation, admittedAt, failed, now);'],
    ['if (failed !== undefined) lane', 'lane'],
    ['else if (throttle.refuses(attempted.caller, startedAt)) end(', 'else if (throttle === undefined) end('],
  ]),
  ...of('upstream/calls/fair-queue', ['upstream/queue'], [
    ['const reservedShare = 16;', 'const reservedShare = 1_000_000;'],
    ['const minWaiting = 640;', 'const minWaiting = 256;'],
    ['Math.max(maxWaitingPerCaller, waitingPerCallInFlight * maxInFlight)', 'maxWaitingPerCaller'],
    ['free > 0 && caller.inFlight < maxPerCaller)', 'free > 0)'],
    ['callers.moveToEnd(caller);', ''],
    ['callers.waiting() >= maxWaiting ||', ''],
    ['|| waitingCount >= maxWaitingPerCaller', ''],
    ['startedAt + Math.max(ownMs / maxPerCaller, (aheadMs + ownMs) / maxInFlight) <', 'startedAt <'],
    ['waitingCount * durations.averageOf(caller.name)', 'waitingCount * durations.average()'],
    ['byCaller.get(caller) ?? ofAll', 'byCaller.get(caller) ?? 0'],
    ['theirs -= other.waiting.length();', ''],
    ['atMaximum.delete(caller);', ''],
    ['if (caller.inFlight >= maxPerCaller) atMaximum.add(caller);', 'atMaximum.add(caller);'],
    ['Math.max(ownMs / maxPerCaller, (aheadMs + ownMs) / maxInFlight)', '(aheadMs + ownMs) / maxInFlight'],
    [', (aheadMs + ownMs) / maxInFlight)', ', 0)'],
    ['entry.lifetime.unlisten(entry);', ''],
    ['if (isAdmitting) return;', ''],
    ['while (caller !== undefined && caller.inFlight >= maxPerCaller) caller = caller.next;', ''],
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
  ...of('runtime/request-lifetime', ['upstream/idempotency-waiters'], [['  if (lifetime.isOver()) return;\n', '']]),
  ...of('runtime/shared-timer', ['upstream/time-limit'], [
    ['first.dueAt > performance.now() + 1', 'first.dueAt > performance.now() - 1_000'],
    ['started.remove(item);', ''],
  ]),
];

// prettier-ignore
const paging: readonly Mutant[] = [
            ...of('upstream/paging/cursor', ['gateway/paging', 'gateway/cost'], [
    ['if (cursor.length > maxCursorLength) return undefined;', '', 'only spares decoding: no list gives out one so long'],
  ]),
  ...of('upstream/paging/list', ['gateway/paging'], [
    ['value >= 1 && value <= maxFirst', 'value >= 0 && value <= maxFirst'],
    ['value >= 1 && value <= maxFirst', 'value >= 1 && value <= maxFirst + 1'],
  ]),
    ...of('upstream/paging/filter', ['gateway/paging', 'upstream/styles'], [
    ['matches(page.sources[index], text) ? record :', 'index >= 0 ? record :'],
    ['if (!isPlainText(text)) {', "if (text === 'planted') {"],
  ]),
                ...of('upstream/paging/page', ['gateway/paging', 'upstream/styles'], [
    ['sources.length > maxRecords', 'sources.length >= maxRecords'],
    ['sources.length > maxRecords', 'sources.length < 0'],
  ]),
                ];

// prettier-ignore
const evidence: readonly Mutant[] = [
  ...of('contract/service-rows', ['gateway/writes'], [['[400, 409, 422],', '[400, 409],']]),
        ...of('upstream/decoding/encode-input', ['gateway/request-rows'], [
    ['&& !values.some(isInside)', ''],
    ["Object.keys(contract[`${name}.body`]).length > 0 &&", ''],
    ['isLeftOut ? undefined :', 'isLeftOut ? bareObject() :'],
  ]),
                ...of('upstream/calls/write', ['gateway/log'], [
    ['[...sentTexts, ', '['],
    ['value === id || (', '('],
    ['|| (value.length >= minPersonalLength && isPersonal(text) && id.includes(value))', ''],
    ['value.length >= minPersonalLength &&', ''],
    ["|| text.includes('@')", ''],
  ]),
  ...of('upstream/connect', ['gateway/tls'], [['if (!isClosing) logFault(error);', 'logFault(error);']]),
          ...of('upstream/decoding/extra-fields', ['gateway/extra-rows'], [
    ['Number(text) === (Number(text) | 0)', 'text !== ""'],
    ['unit, ownUnit, major: id', 'unit, major: id'],
  ]),
  ...of('upstream/decoding/encode-input', ['gateway/extra-rows'], [
    ['!isZoneless(text) && ', ''],
    ['isRequired: extra.required === true', 'isRequired: false'],
  ]),
  ...of('upstream/decoding/encode-input', ['gateway/contract-rows'], [
    ['exactNumber(toAmount(value))', 'Number(toAmount(value))'],
  ]),
  ...of('upstream/paging/list', ['gateway/extra-rows'], [
    ['filters.some(({ parameter })', 'filters.every(({ parameter })'],
  ]),
    ...of('contract/extra-rows', ['gateway/extra-rows'], [
    ['if (graphNames(owner).has(name)) return', "if (name === 'planted') return"],
    ['if (namesOf(extra).some(namesIdentity)', 'if ([extra.name].some(namesIdentity)'],
  ]),
    ...of('telemetry/not-found-watch', ['gateway/metrics'], [
    ['inconclusiveStatuses.has(status) ||', ''],
  ]),
    ...of('upstream/decoding/interpret-answer', ['gateway/writes'], [
    ['if (value instanceof GatewayError) throw', 'if (value === undefined) throw'],
    ["if (status === 403) return new GatewayError('FORBIDDEN'", "if (status === 499) return new GatewayError('FORBIDDEN'"],
    ['...(lookup === undefined ? {} : { lookup }),', ''],
  ]),
  ...of('upstream/decoding/interpret-answer', ['gateway/errors'], [
    ["if (status === 408) throw new GatewayError('UPSTREAM_TIMEOUT'", "if (status === 499) throw new GatewayError('UPSTREAM_TIMEOUT'"],
    ['|| !isUtf8(body)', ''],
  ]),
    ...of('upstream/decoding/encode-input', ['gateway/writes', 'gateway/wire'], [
    ["if (value === null) return 'Must", "if (value === 0) return 'Must"],
    ['/^\\d{11}$/', '/^\\d{10,11}$/'],
    ["if (value === '') return mayBeEmpty ? undefined :", "if (value === '') return true ? undefined :"],
    ['[...values, ...sent]', 'values'],
  ]),
  ...of('upstream/record-operations', ['gateway/identification'], [
    ['(mismatch ?? value)', 'value'],
  ]),
    ...of('upstream/decoding/record-evidence', ['gateway/identification'], [
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
    ['spellings.toSorted((a, b) => b.length - a.length)', 'spellings'],
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
  ...of('graphql/errors/format-error', ['gateway/errors'], [
    [".replaceAll(/\\+?\\d{6,}/gu, '…')", ''],
    ['/\\+?\\d{6,}/', '/\\+?\\d{7,}/'],
    ['if (documentCodes.has(code)) {', 'if (code !== undefined) {'],
    ['isArgumentFault(formatted) ?', 'formatted === null ?'],
    [".replaceAll(/,? (?:but )?found (?!<EOF>).*$/gsu, '.')", ''],
    [".replaceAll(/(cannot represent [^:]*): .*$/gsu, '$1.')", ''],
    [".replaceAll(/^(Syntax Error: Unexpected \\w+) .*$/gsu, '$1.')", ''],
    ['.replaceAll(/[^\\s@"]{1,64}@[^\\s@"]{1,255}/gu, \'…\')', ''],
    ['whole.slice(0, maxMessageLength)', 'whole'],
    [".replaceAll(/^(Argument \"\\w+\" has invalid value) .*$/gsu, '$1.')", ''],
  ]),
  ...of('domain/errors', ['gateway/errors'], [
    ['Object.assign(new Error(code), { name, code })', 'Object.assign(new Error(error.message), { name, code })'],
    ["super(options.message ?? messages[code], 'cause'", "super(String(options.cause ?? options.message ?? messages[code]), 'cause'"],
  ]),
];

// prettier-ignore
const disbelief: readonly Mutant[] = [
      ...of('upstream/calls/write', ['gateway/log'], [
    ['const minPersonalLength = 5', 'const minPersonalLength = 4'],
    ['const minPersonalLength = 5', 'const minPersonalLength = 6'],
    ["upstreamStatus === undefined ? 'not sent' : 'refused'", "'not sent'"],
    ["upstreamStatus === undefined ? 'not sent' : 'refused'", "'refused'"],
  ]),
  ...of('upstream/calls/write', ['gateway/writes'], [['result.status, result.cause);', 'undefined, result.cause);']]),
  ...of('upstream/calls/write', ['gateway/request-rows'], [
    ['sealOf(operation, scope).write(text)', "Buffer.from(text.padEnd(64, 'x').slice(-64))"],
  ]),
      ...of('upstream/decoding/user-errors', ['gateway/writes'], [
    [String.raw`|\d(?:[^\p{L}\d…]{1,3}\d|\d){8,}`, ''],
    ['encodeURIComponent(value.toWellFormed())', 'value'],
    ['length <= 5 * text.length', 'true'],
    ['length <= 5 * text.length', 'length <= 4 * text.length'],
  ]),
    ...of('upstream/wire/http-client', ['gateway/errors'], [['code === 206', 'code === 207']]),
  ...of('upstream/accounts', ['gateway/forgotten'], [['] : [],\n    creates: true', '] : [],\n    creates: false']]),
  ...of('upstream/customers', ['gateway/forgotten'], [["transactions: 'listCustomerTransactions',", '']]),
  ...of('contract/operation-rows', ['gateway/identifiers'], [
    ['path.mayNameFields && !writeNames', '!writeNames'],
    [' && !writeNames.some((write) => write === name)', ''],
  ]),
  ...of('upstream/decoding/request-path', ['gateway/identifiers'], [
    ["staysInPath(identifier) && staysInPath(identifier.normalize('NFKC'))", 'staysInPath(identifier)'],
    ["staysInPath(identifier) && staysInPath(identifier.normalize('NFKC'))", "staysInPath(identifier.normalize('NFKC'))"],
    ["segment.normalize('NFKC')", 'segment'],
    [String.raw`.replaceAll(/[\s\p{Cf}]/gu, '')`, ''],
  ]),
            ...of('upstream/idempotency/redis-store', ['upstream/redis-store'], [
    ["if epoch ~= '' and redis.call", "if epoch == 'none' and redis.call"],
    ["acceptsLoss ? '' : await", "await"],
    ["await client.set(epochKey, randomUUID(), { condition: 'NX' });", 'await client.set(epochKey, randomUUID());'],
  ]),
  ];

// prettier-ignore
const connections: readonly Mutant[] = [
  ...of('upstream/wire/pool', ['gateway/egress-proxy'], [
    ['headersTimeout: connectTimeoutMs,', ''],
    ["return pool.on('disconnect', (_, __, error) => markProxyError(error));", 'return pool;'],
  ]),
  ...of('upstream/wire/http-client', ['gateway/egress-proxy'], [['isMalformed && isSent', 'isMalformed']]),
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
    ['|BAD_RECORD_MAC', ''],
    ['|UNSAFE_LEGACY_RENEGOTIATION', ''],
  ]),
  ...of('upstream/wire/http-client', ['gateway/tls'], [['|| isUnconnected)', ')']]),
];

// prettier-ignore
const config: readonly Mutant[] = [
  ...of('config/config', ['gateway/config'], [
    ['mustBeSecure && usesHttpProxy(settings)', 'false'],
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
    ['...findUnknownVariables(all, variableNames, guards),', ''],
    ['settings.UPSTREAM_TIMEOUT_MS > settings.REQUEST_TIMEOUT_MS', 'settings.UPSTREAM_TIMEOUT_MS >= settings.REQUEST_TIMEOUT_MS'],
    ["settings.IDEMPOTENCY_STORE ?? settings.IDEMPOTENCY_STORE_FILE;", 'settings.IDEMPOTENCY_STORE;'],
  ]),
  ...of('config/variables', ['gateway/config'], [
    ['ROUTER_SECRET: rules.routerSecret', 'ROUTER_SECRET: rules.credential'],
  ]),
  ...of('config/unknown-variables', ['gateway/config'], [
    ['nearest.distance > 1 && !ownPrefix', 'nearest.distance > 0 && !ownPrefix'],
    ['nearest.distance > 1 && !ownPrefix', 'nearest.distance > 1 || !ownPrefix'],
    ['if (ourNames.includes(upper)) return', 'if (foreignName.test(name)) return'],
    ['/^(?:NODE|OTEL)_|_PROXY$/', '/^(?:NODE|OTEL)_/'],
    ['/^(?:NODE|OTEL)_|_PROXY$/', '/_PROXY$/'],
    ['return /^(?:HOST|PORT)$/.test(upper)', 'return false'],
    ['|| (name !== upper && !ownPrefix.test(upper))', ''],
    ['name !== upper && !ownPrefix', 'name !== upper || !ownPrefix'],
    ['|| isServiceLink(name, value)', ''],
    ["if (value === '' && (nearest.distance > 1 || !guards.has(nearest.name))) return [];", "if (value === '') return [];"],
    ['nearest.distance > 1 || !guards', '!guards'],
    ['|| !guards.has(nearest.name)', ''],
    ['nearestName(upper, ourNames)', 'nearestName(name, ourNames)'],
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
    [" ?? earlierLookup;", ";"],
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
    ["code, requestId, retryAfterSeconds, canRetry }", "code, requestId, retryAfterSeconds: undefined, canRetry }"],
    ["passingCodes.has(code) && retryable", "retryable"],
    [" && retryable !== false", ""],
    ["  'UPSTREAM_TIMEOUT',\n", ""],
    ["const [first] = gatewayErrors(error);", "const first = gatewayErrors(error).at(-1);"],
  ]),
  ...of("client/sentences", ["gateway/client"], [
    ["'We do not know yet whether this was done. Please look it up before you try again.'", "'This was not done. Please try it again in a moment.'"],
    ["'This was sent before with other values. Please look up what became of it.'", "'Nothing was sent at all. Please try it again in a moment.'"],
  ]),
    ...of("http/cors", ["gateway/http"], [
    ["      'idempotency-key',\n", ""],
    ["exposedHeaders: ['x-request-id', 'retry-after'],", "exposedHeaders: [],"],
  ]),
    ...of("upstream/decoding/user-errors", ['gateway/writes'], [
    ["|\\b[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){0,8}:\\d{2,5}\\b", ""],
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
            ...of("upstream/credentials/request-headers", ["gateway/request-rows"], [
    ["[operation, key, method, path, body]", "[operation, key, method, body]"],
    ["[operation, key, method, path, body]", "[operation, key, path, body]"],
    ["[operation, key, method, path, body]", "[key, method, path, body]"],
  ]),
  ...of("upstream/wire/answer-headers", ["gateway/errors"], [
    ["if (retryAfter === undefined) return undefined;\n  if (/^\\d{1,9}$/.test(retryAfter)) return Math.min(Number(retryAfter), maxRetryAfterSeconds);", "if (retryAfter === undefined) return undefined;\n  if (/^\\d{1,9}$/.test(retryAfter)) return Number(retryAfter);"],
    ["seconds), maxRetryAfterSeconds)", "seconds), Infinity)"],
    ["Math.max(0, seconds)", "0"],
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
  ...of("upstream/decoding/wire-money", ['gateway/money'], [
    ["if (isZero(money.amount) &&", "if (!isZero(money.amount) &&"],
    ["[...contract['transaction.amount'], ...contract['transaction.amountMinor']]", "contract['transaction.amount']"],
  ]),
  ...of("upstream/accounts", ["gateway/money"], [["currency: 'account.currency'", "currency: 'transaction.currency'"]]),
  ...of("commands/main", ["gateway/command-line"], [
    ["process.exit(130);", "process.exit(0);"],
    ["else if (signal !== 'SIGHUP' && performance.now() - stoppingSince >= repeatedMs) process.exit(130);", ""],
  ]),
  ...of("graphql/sandbox", ["gateway/http"], [["{ runTelemetry: false }", "{}"]]),
  ...of("upstream/paging/filter", ["upstream/styles"], [
    ["words.every(", "words.some("],
    ["match(/\\S+/g) ?? []", "split(/\\s+/)"],
    ["number.padStart(count, '0')", "number"],
    ["parameter: contract[`${list}.search`]", "parameter: contract['listCustomers.search']"],
  ]),
    ...of("upstream/credentials/credentials", ["gateway/credentials"], [
    ["value === undefined ? callers.bearer : callers.privateKey", "value === undefined ? callers.privateKey : callers.bearer"],
    ["value === undefined ? callers.bearer : callers.privateKey", "value === null ? callers.bearer : callers.privateKey"],
  ]),
  ...of('commands/contract-check/check-envelope', ['gateway/check-findings'], [
    ['[...absent, node.pointer, ...stated]', '[node.pointer]'],
    ['[...absent, node.pointer, ...stated]', '[...stated, node.pointer]'],
  ]),
    ...of("commands/contract-check/prober", ["gateway/check-pages"], [["const maxCalls = 60", "const maxCalls = 61"]]),
  ...of('commands/contract-check/check-fields', ['gateway/check-names'], [['^(?:date|is_?paid)|', '']]),
  ...of('commands/contract-check/check-money', ['gateway/check-reads'], [
    ['balance === undefined && record === undefined', 'record === undefined'],
  ]),
  ...of('commands/contract-check/check-money', ['gateway/check-names'], [
    ['!/available/i.test(place) ||', ''],
    ['.filter((pointer) => isMainAmount(row, pointer))', ''],
    ['proposeBalance(run, record);', ''],
  ]),
  ...of('upstream/decoding/interpret-answer', ['gateway/contract-cases'], [
    ["contradictionOf(record) === undefined ? record.evidence : 'foreign'", "'foreign'"],
    ["contradictionOf(record) === undefined ? record.evidence : 'foreign'", 'record.evidence'],
  ]),
  ...of('commands/contract-import/rows/answer-rows', ['gateway/import-answers'], [['proposeBalance(run, balance);', ''], ['if (!isFound) comment(', 'if (isFound) comment(']]),
    ...of('commands/contract-check/list-reader', ['gateway/import-answers'], [['run.confirm(row);', '']]),
  ...of('commands/contract-check/check-run', ['gateway/check-evidence'], [[' && !corrections.has(id)', '']]),
  ...of('commands/contract-import/match-operations', ['gateway/import-addresses'], [
    ['parameter === -1 ? segments : segments.slice(0, parameter)', 'segments'],
  ]),
  ...of('commands/contract-import/classify-operation', ['gateway/import-addresses'], [[" && verb === 'get' && isPlural", ' && isPlural && false']]),
  ...of('commands/contract-cases/propose-rows', ['gateway/contract-cases'], [["value !== 'undecided'", 'true']]),
  ...of('commands/contract-import/rows/request-rows', ['gateway/contract-import'], [["'pageindex', ", ''], ['isWrite(operation) ? api.keyHeaders : []', '[]'], ['numbers.length < sent.length || ', ''], [' && !sent.includes(openText)', ''], [' || numbers.some((number) => !/^\\d{1,15}$/.test(number))', '']]),
  ...of('commands/contract-import/rows/extra-fields', ['gateway/import-answers'], [["type: money ? 'Money' : ", 'type: ']]),
  ...of('commands/contract-check/find-amount', ['gateway/import-answers'], [['book(?:ed)?', 'book']]),
  ...of('commands/contract-import/rows/body-rows', ['gateway/import-answers'], [
    ['...wireNames, ...nested]', '...wireNames]'],
    ['as const), ...nested]', 'as const)]'],
    ['[...beside, ...found]', 'found'],
    ['isWanted(field) && !isRead(field) ?', 'isWanted(field) ?'],
  ]),
  ...of('commands/contract-import/postman', ['gateway/import-addresses'], [
    ["variables.get(name) || 'bearer'", "'bearer'"],
    ["noteKey(context, place, name, key.get('value'));", ''],
  ]),
  ...of('commands/contract-import/schema-sample', ['gateway/import-hostile'], [['seen[omitted].set(schema, own);', '']]),
  ...of('commands/contract-import/schema-sample', ['gateway/import-answers'], [
    ['(hasKeyword(inner) ? name : [])', '[]'],
    ['[schema, ...parts.map((part) => resolve(part, place))]', '[schema]'],
  ]),
  ...of('commands/contract-import/api', ['gateway/contract-import'], [['!/idempoten|csrf/i', '!/csrf/i']]),
  ...of('commands/contract-import/openapi', ['gateway/import-answers'], [[' || sample === 0', ''], ['usual == null', 'usual === undefined']]),
  ...of('commands/contract-import/case-samples', ['gateway/import-answers'], [
    ['return date ?? text;', 'return text;'],
    ['isPlaceholder(field, text) || isPlaceholder(field, answered) ?', 'isPlaceholder(field, text) ?'],
    ['isPlaceholder(field, named) && ![named', 'false && ![named'],
    ['[named, placeholderText].includes', '[named].includes'],
    ['isPlaceholder(field, text) || isPlaceholder(field, answered) ?', 'isPlaceholder(field, answered) ?'],
  ]),
  ...of("upstream/calls/throttle", ["upstream/throttle"], [
    ["nextProber === undefined || evidence.probedAt < nextProber.probedAt)", "nextProber === undefined)"],
    ["allCallers.window.at(now).refused += 1;", ""],
    ["if (now - failedAt > windowSeconds * 1000) return 1;", ""],
    ["results === 0 ? 0 :", "results === 0 ? 1 :"],
    ["hasRecentSuccess(evidence, now) && passShare(evidence, now) > 0", "hasRecentSuccess(evidence, now)"],
  ]),
  ...of("upstream/calls/fair-queue", ["upstream/queue"], [
    ["const waitingPerCallInFlight = 64;", "const waitingPerCallInFlight = 32;"],
    ["callers.dropIfIdle(caller);\n        entry.onAdmission('full');", "entry.onAdmission('full');"],
    ["callers.removeWaiting(caller, entry);\n      callers.dropIfIdle(caller);", "callers.removeWaiting(caller, entry);"],
    ["callers.end(caller);\n      callers.dropIfIdle(caller);", "callers.end(caller);"],
    ["?? Math.min(durationMs, ofAll)", "?? durationMs"],
    ["if (isSent) durations.add(", "durations.add("],
  ]),
  ...of("upstream/calls/attempt", ["upstream/throttle"], [
    ["startedAt >= lifetime.deadline - 1", "false"],
    ["if (lifetime.isOver()) return endAdmitted(this, notSent('over'), admittedAt);", ""],
    ["if (result.reason === 'malformed') return false;", ""],
    ["(result.reason === 'over' && now >= lifetime.deadline - 1)", "result.reason === 'over'"],
    ["Math.min(timeoutMs, requestTimeoutMs) / 2", "timeoutMs / 2"],
  ]),
    ...of("upstream/decoding/user-errors", ["gateway/writes"], [["\\p{Cc}\\p{Cf}", "\\p{Cc}"]]),
  ...of("upstream/decoding/date-time", ["upstream/values"], [["const canonical = /^(?!0000)", "const canonical = /^"]]),
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
    ...of("telemetry/not-found-watch", ["gateway/metrics"], [
    ["const suspiciousCount = 20;", "const suspiciousCount = 21;"],
    ["|| status >= 500", ""],
    ["408, 421, 429]", "408, 421]"],
  ]),
          ...of("client/money", ["gateway/client"], [["minimumFractionDigits: digits, ", ""]]),
  ...of("telemetry/request-log", ['gateway/log'], [
    ["codes.length > 1 ? codes.length : undefined", "codes.length"],
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
            ...of('upstream/wire/answer-turns', ['upstream/lines'], [
    ['if (answers.length > 0) waiting.set(caller, answers);', ''],
  ]),
    ...of('upstream/wire/connection-pools', ['upstream/lines'], [['        handler.connection = connection;\n', '']]),
      ...of('upstream/wire/pool', ['upstream/lines'], [['if (handler.connection === undefined) onAssigned?.();', 'onAssigned?.();']]),
  ...of('upstream/wire/http-client', ['upstream/lines'], [
    ['  if (exchange.isSettled) return;\n', ''],
    ['  controller?.abort(new Error(reason));\n', ''],
  ]),
    ...of('upstream/calls/read', ['upstream/retry'], [
    ["if (result.kind === 'answer') result.connection?.close();", ''],
    ['freshConnection: true', 'freshConnection: false'],
    ['request.freshConnection !== true && ', ''],
  ]),
  ...of('upstream/wire/warm-connections', ['gateway/tls'], [
    ['        openIn(replaceMs);\n', ''],
    ['          openIn(retryMs, replaced);\n', ''],
    [".once('close', drop)", ''],
    ['    if (idle.size > count) takeOldest()?.destroy();\n', ''],
    ['else if (isClosed) socket.destroy();\n        else', 'else'],
  ]),
  ...of('graphql/explain/call-recorder', ['gateway/explained-calls'], [['(connection?.requests ?? 0) > 1', '(connection?.requests ?? 0) > 0']]),
  ...of('graphql/explain/explain-operation', ['gateway/explain'], [['.filter((name) => sentValues[name] === undefined)', ''], ['(fields.get(key)?.calls ?? 0) + calls', 'calls']]),
  ...of('telemetry/request-log', ['gateway/log'], [["context !== undefined && status < 400 ? 'OK'", "context !== undefined ? 'OK'"]]),
  ...of('commands/contract-check/find-field', ['gateway/check-evidence'], [
    ["last === 'code' && /^(?:.{0,3}|0+)$/", "last === 'code' && /^(?:.{0,1}|0+)$/"],
    ["last === 'code' && /^(?:.{0,3}|0+)$/", "last === 'code' && /^.{0,3}$/"],
  ]),
  ...of('client/describe-error', ['gateway/client'], [
    ["errorEntries(error).some(isAnswered) ? 'INTERNAL_SERVER_ERROR' : undefined", 'undefined'],
    ["return !('name' in entry) || isObject(entry['extensions']);", 'return true;'],
    ["!('name' in entry) ||", '!(entry instanceof Error) ||'],
    ["return !('name' in entry) || isObject(entry['extensions']);", "return !('name' in entry);"],
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
    ['minutes < 0 || ', ''],
    ['minutes >= 1440', 'minutes > 1440'],
    ['|(?:0[13-9]|1[0-2])-(?:29|30)', '|\\d\\d-(?:29|30)'],
    ['(?:0[13578]|1[02])-31', '\\d\\d-31'],
    ['getUTCDate() === 29', 'getUTCDate() > 0'],
  ]),
  ...of('upstream/decoding/user-errors', ['gateway/writes'], [
    ['clean.slice(0, maxMessageLength).toWellFormed()', 'clean.slice(0, maxMessageLength)'],
    ['encodeURIComponent(value.toWellFormed())', 'encodeURIComponent(value)'],
    ["secret === '' || ", ''],
    ['secret.length > 2 ?', 'secret.length > 3 ?'],
    ['secret.length > 2 ?', 'secret.length > 1 ?'],
    ['(?:@|%40)', '@'],
  ]),
  ...of('runtime/log', ['gateway/log'], [
    [" || typeof code === 'number'", ''],
    ['if (cause instanceof GatewayError) return describeError(cause);', ''],
    ['{ code, ...details, ', '{ code, '],
    ['{ name: typeof cause }', '{ name: String(cause) }'],
    ['code: String(code)', 'code'],
  ]),
    ...of('runtime/printable', ['gateway/command-line'], [
    ['\\P{C}', '\\P{Cc}'],
    ['|[\\p{Zl}\\p{Zp}]', ''],
    ["padStart(4, '0')", "padStart(2, '0')"],
    ['length: character.length', 'length: 1'],
    ['\\n\\t]', '\\n]'],
  ]),
  ...of('telemetry/request-log', ['gateway/log'], [['          failing = undefined;\n', '']]),
  ...of('http/explorer/explorer', ['gateway/explorer'], [
    ['service, hasSchema }', 'service, hasSchema: true }'],
    ['service, hasSchema }', 'service }'],
    ["upstream.href.replace(/\\/$/, '')", 'upstream.href'],
  ]),
  ...of('http/explorer/explorer', ['gateway/explain'], [
    ['? operationName : undefined', '? undefined : undefined'],
  ]),
    ...of('graphql/explain/explain-operation', ['gateway/explain'], [['sum + read(sentValues).length', 'read(sentValues).length']]),
    ...of('upstream/calls/read', ['upstream/retry'], [[' && attempts < maxAttempts', '']]),
  ...of('upstream/calls/read', ['gateway/metrics'], [['  read.reader.observer.onRetry(read.operation.name);\n', '']]),
  ...of('upstream/decoding/date-time', ['gateway/contract-rows'], [
    ['>= firstMoment', '> firstMoment'],
    ['<= lastMoment', '< lastMoment'],
    ['\\d{1,15}', '\\d{1,14}'],
    ['(?:Z|\\+00:?00)?', 'Z?'],
    ['isDate(date) && writeDate(date, form) === day', 'isDate(date)'],
  ]),
      ...of('upstream/wire/warm-connections', ['gateway/tls'], [['Math.max(0, keptAt + retryMs - performance.now())', '0']]),
  ...of('upstream/decoding/json-pointer', ['gateway/money'], [['paths.every(({ length })', 'paths.some(({ length })']]),
  ...of('upstream/decoding/field-decoders', ['gateway/contract-rows'], [
    ["return value === '' ? null : convert(value);", 'return convert(value);'],
    ['path: pathOf(location) + reader.locate(source) }', 'path: pathOf(location) }'],
  ]),
  ...of('upstream/decoding/identification', ['gateway/identification'], [
    ["  getSettlementBank: 'settlementBank.identifiedBy',\n", ''],
    ["  'settlementBank.identifiedBy',\n  'balance", "  'balance"],
    ['carriesOne || !isRecord(source)', 'carriesOne'],
  ]),
      ...of('upstream/decoding/request-path', ['gateway/request-rows'], [['[1-9]\\d{0,14})$', '[1-9]\\d*)$']]),
      ...of('upstream/idempotency/idempotency', ['upstream/idempotency-waiters'], [['latest === undefined ? lifetime : undefined', 'lifetime']]),
  ...of('commands/main', ['gateway/command-line'], [
    ["cause === 'SIGINT' || ", ''],
    ['isMisuse || isJudging', 'isJudging'],
    [", 'test']", ']'],
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
