/**
 * Draws replayed Cursor activity in pi, and answers replayed tool calls from their recording.
 *
 * A call whose id begins with `cursor-replay-` is never executed: it has a recorded result or it
 * fails. Every other call belongs to pi and is drawn and run by pi's own tools.
 */

import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  createBashToolDefinition,
  createEditToolDefinition,
  createFindToolDefinition,
  createGrepToolDefinition,
  createLsToolDefinition,
  createReadToolDefinition,
  createWriteToolDefinition,
  getAgentDir,
  getLanguageFromPath,
  highlightCode,
  keyHint,
  keyText,
  renderDiff,
  SettingsManager,
} from "@earendil-works/pi-coding-agent";
import {
  Container,
  getCapabilities,
  getImageDimensions,
  imageFallback,
  Text,
} from "@earendil-works/pi-tui";
import { Type } from "typebox";

const REPLAY_PREFIX = "cursor-replay-";
const PROVENANCE = "cursor-replay";
const NOTICE = "cursor-replay-notice";
const CURSOR = "cursor";
const DEFAULT_TITLE = "Cursor activity";
const EXPAND = "app.tools.expand";
const COLLAPSED_LINES = 8;
const LINE_CHARS = 240;
const HIGHLIGHT_CHARS = 12_000;
const DEEPEST = 64;

type Fields = Record<string, any>;

interface Block {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
}

interface Recorded {
  content: Block[];
  details?: Fields;
  isError: boolean;
}

/** What a session line keeps of a call beside pi's own fields. */
interface Kept {
  source_tool?: string;
  title?: string;
  summary?: string;
  status?: string;
  reason?: string;
  content?: Block[];
  details?: Fields;
  diff?: string;
}

type ResultSource = (id: string) => Recorded | undefined | Promise<Recorded | undefined>;

const isReplay = (id: unknown): id is string =>
  typeof id === "string" && id.startsWith(REPLAY_PREFIX);

// -- what a session tells about its replayed calls ------------------------------------------------

/** The recorded results and kept cards of one session, by call id. */
class Recording {
  readonly results = new Map<string, Recorded>();
  readonly cards = new Map<string, Kept>();
  /** Asked in turn when a replayed call has to be answered. */
  readonly sources: ResultSource[] = [(id) => this.results.get(id)];

  refill(entries: Iterable<unknown>): void {
    this.results.clear();
    this.cards.clear();
    this.add(entries);
  }

  add(entries: Iterable<unknown>): void {
    for (const entry of entries) {
      const { cursorReplay, message } = fields(entry);
      for (const [id, card] of Object.entries(fields(cursorReplay?.cards))) {
        this.cards.set(id, fields(cleaned(card)));
      }
      if (message?.role === "toolResult" && isReplay(message.toolCallId)) {
        this.results.set(message.toolCallId, recordedOf(message));
      }
    }
  }

  async find(id: string): Promise<Recorded | undefined> {
    for (const source of this.sources) {
      const recorded = await source(id);
      if (recorded) return recorded;
    }
    return undefined;
  }
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function rowOf<Row>(table: Record<string, Row>, key: unknown): Row | undefined {
  return typeof key === "string" && Object.hasOwn(table, key) ? table[key] : undefined;
}

function blocksOf(value: unknown): Block[] {
  return Array.isArray(value) ? value.filter(isBlock) : [];
}

function isBlock(block: unknown): boolean {
  const { type, text, data, mimeType } = fields(block);
  if (type === "text") return typeof text === "string";
  return type === "image" && [data ?? "", mimeType ?? ""].every((part) => typeof part === "string");
}

function recordedOf(message: Fields): Recorded {
  const { content, details } = cleaned({ content: message.content, details: message.details });
  return { content: blocksOf(content), details, isError: message.isError === true };
}

/** The entries of a file that replayed calls need; an unreadable file is pi's to report. */
function entriesOf(file: string): unknown[] {
  const text = safely(
    () => readFileSync(file, "utf8"),
    () => "",
  );
  const told = text.split("\n").filter((line) => line.includes(REPLAY_PREFIX));
  return told.map((line) =>
    safely(
      () => JSON.parse(line),
      () => undefined, // pi skips what is no JSON, and so does this
    ),
  );
}

// -- what outlives a session ----------------------------------------------------------------------

/** What the instances of this extension share: pi makes one of every copy for every session. */
interface Memory {
  /** Where the copies of this extension are, which count as one. */
  copies: Set<string>;
  /** Which copy registered a tool when a session last began. */
  registrars: Map<string, string>;
  /** The tools that were active before ours were registered. */
  active?: string[];
  /** Whether this pi offers a tool to the model because it was registered. */
  activates: boolean;
  /** The entries of the session that begins next, which pi draws before it says so. */
  entries?: unknown[];
  told: Set<string>;
}

const KEY = Symbol.for("cursor-replay.pi-extension");
const memory = sharedMemory();

/** Copies of other versions share it too, so what is there stays and only gaps are filled. */
function sharedMemory(): Memory {
  const fresh: Memory = {
    copies: new Set(),
    registrars: new Map(),
    activates: false,
    told: new Set(),
  };
  const shared = globalThis as unknown as Record<symbol, Memory | undefined>;
  const there = (shared[KEY] ??= fresh);
  return Object.assign(there, { ...fresh, ...there });
}

// -- text that is safe to draw --------------------------------------------------------------------

const SEQUENCE = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)/g;
const BREAK = /\r\n?|[\x85\u2028\u2029]/g;
/** What cursor_replay/scrub/controls.py takes out; with `u`, only surrogates that stand alone. */
const CONTROL =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ud800-\udfff\ufeff\u{e0000}-\u{e007f}]/gu;

const clean = (text: string) =>
  text.replace(SEQUENCE, "").replace(BREAK, "\n").replace(CONTROL, "");

/** What a recording says, with every string in it fit to be drawn: nothing is drawn without it. */
function cleaned(value: unknown, depth = 0): any {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  const pairs = Object.entries(value);
  return Object.fromEntries(pairs.map(([key, item]) => [clean(key), cleaned(item, depth + 1)]));
}

const asText = (value: unknown) => (typeof value === "string" ? value : "");

function oneLine(text: unknown): string {
  return clip(asText(text).replace(/\s+/g, " ").trim());
}

function clip(line: string): string {
  if (line.length <= LINE_CHARS) return line;
  return `${line.slice(0, LINE_CHARS - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function linesOf(text: unknown): string[] {
  return asText(text).replace(/\t/g, "   ").replace(/\s+$/, "").split("\n");
}

function firstText(...texts: unknown[]): string {
  return texts.map(oneLine).find((text) => text !== "") ?? "";
}

function textOf(content: unknown): string {
  const texts = blocksOf(content).filter((block) => block.type === "text");
  return texts.map((block) => asText(block.text)).join("\n");
}

// -- the cursor card ------------------------------------------------------------------------------

/** Everything known of one activity, whichever of result, arguments and kept card carries it. */
interface Activity {
  args: Fields;
  kept: Kept;
  content: Block[];
  details: Fields;
  /** A change in pi's own form. */
  diff: string;
  isError: boolean;
}

function activityOf(args: unknown, kept: Kept | undefined, result: Recorded | undefined): Activity {
  const card = kept ?? {};
  return {
    args: fields(cleaned(args)),
    kept: card,
    content: result?.content ?? blocksOf(card.content),
    details: { ...fields(card.details), ...fields(result?.details) },
    diff: asText(fields(result?.details).diff ?? card.diff),
    isError: result?.isError ?? card.status === "failed",
  };
}

function titleOf({ args, kept, details }: Activity): string {
  return firstText(details.title, args.activityTitle, kept.title) || DEFAULT_TITLE;
}

function summaryOf(activity: Activity): string {
  const { args, kept, details } = activity;
  const summary = firstText(details.summary, args.activitySummary, kept.summary);
  return summary === titleOf(activity) ? "" : summary;
}

function headOf(activity: Activity, theme: any): string {
  const summary = summaryOf(activity);
  const title = theme.fg("toolTitle", theme.bold(titleOf(activity)));
  if (!summary) return title;
  const path = leadingPath(activity, summary);
  const rest = summary.slice(path.length);
  return `${title} ${path && theme.fg("accent", path)}${rest && theme.fg("muted", rest)}`;
}

function leadingPath({ args, details }: Activity, summary: string): string {
  const begins = (path: string) =>
    path !== "" && summary.startsWith(path) && !/^\w/.test(summary.slice(path.length));
  return [details.path, details.imageDisplayPath, args.path].map(oneLine).find(begins) ?? "";
}

/** A body that can draw its beginning without drawing the rest. */
interface Body {
  total: number;
  draw(limit: number): string[];
}

function plainBody(lines: string[], colour: (line: string) => string): Body {
  return { total: lines.length, draw: (limit) => first(lines, limit).map(colour) };
}

function diffBody(diff: string, filePath: string): Body {
  const lines = linesOf(diff);
  // Two lines more than asked for: pi marks words only where a removed line meets its added one.
  const draw = (limit: number) =>
    renderDiff(first(lines, limit + 2).join("\n"), { filePath })
      .split("\n")
      .slice(0, limit);
  return { total: lines.length, draw };
}

function fileBody(content: string, path: string, theme: any): Body {
  const lines = linesOf(content);
  const language = path ? getLanguageFromPath(path) : undefined;
  const draw = (limit: number) => {
    const shown = first(lines, limit);
    const text = shown.join("\n");
    if (language && text.length <= HIGHLIGHT_CHARS) return highlightCode(text, language);
    return shown.map((line) => theme.fg("toolOutput", line));
  };
  return { total: lines.length, draw };
}

/** The first lines, each of bounded length unless all of them are wanted. */
function first(lines: string[], limit: number): string[] {
  return Number.isFinite(limit) ? lines.slice(0, limit).map(clip) : lines;
}

function bodyOf(activity: Activity, theme: any, showImages: boolean): Body | undefined {
  const { args, details, diff, isError } = activity;
  const path = oneLine(details.path ?? args.path);
  if (isError) return errorBody(activity, theme);
  if (diff.trim()) return diffBody(diff, path);
  const file = asText(details.fileContentAfterWrite);
  if (file.trim()) return fileBody(file, path, theme);
  return textBody(activity, theme, showImages);
}

function errorBody(activity: Activity, theme: any): Body | undefined {
  const text = textOf(activity.content).trim() || asText(activity.details.expandedText).trim();
  const lines = withoutHead(linesOf(text), activity);
  return text ? plainBody(lines, (line) => theme.fg("error", line)) : undefined;
}

function textBody(activity: Activity, theme: any, showImages: boolean): Body | undefined {
  const text = asText(activity.details.expandedText).trim() ? activity.details.expandedText : "";
  const told = withoutHead(linesOf(text || textOf(activity.content)), activity);
  const images = imageLines(activity, showImages);
  const lines = [...images, ...(told.join("").trim() && !repeatsHead(told, activity) ? told : [])];
  return lines.length ? plainBody(lines, (line) => theme.fg("toolOutput", line)) : undefined;
}

/** pi draws images below the card where the terminal can; elsewhere a line names them. */
function imageLines({ content, details }: Activity, showImages: boolean): string[] {
  const images = content.filter((block) => block.type === "image");
  const path = oneLine(details.imageDisplayPath) || undefined;
  if (images.length && showImages && getCapabilities().images) return [];
  if (!images.length && path)
    return [imageFallback(mimeOf(details.imageMimeType), undefined, path)];
  return images.map((image) => imageFallback(mimeOf(image.mimeType), sizeOf(image), path));
}

const mimeOf = (mime: unknown) => oneLine(mime) || "image";

function sizeOf({ data, mimeType }: Block) {
  return data && mimeType ? (getImageDimensions(data, mimeType) ?? undefined) : undefined;
}

/** Drop a first line that only says the head again, with the blank line below it. */
function withoutHead(lines: string[], activity: Activity): string[] {
  const repeated = lines.length > 2 && !lines[1].trim() && saysHead(lines[0], activity);
  return repeated ? lines.slice(2) : lines;
}

const repeatsHead = (lines: string[], activity: Activity) =>
  lines.length === 1 && saysHead(lines[0], activity);

/** Whether a line has no word that neither the head nor the tool's own name has. */
function saysHead(line: string, activity: Activity): boolean {
  const { kept, details } = activity;
  const tool = [kept.source_tool, details.sourceToolName].map(oneLine);
  const head = new Set(wordsOf([titleOf(activity), summaryOf(activity), ...tool].join(" ")));
  const words = wordsOf(line);
  return words.length > 0 && words.every((word) => head.has(word));
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function folded(body: Body | undefined, expanded: boolean, quiet: boolean, theme: any): string {
  if (!body || (quiet && !expanded)) return "";
  const lines = body.draw(expanded ? Number.POSITIVE_INFINITY : COLLAPSED_LINES);
  const more = expanded ? 0 : body.total - COLLAPSED_LINES;
  return [...lines, ...(more > 0 ? [moreLine(more, theme)] : [])].join("\n");
}

function moreLine(more: number, theme: any): string {
  const counted = `... (${more} more ${more === 1 ? "line" : "lines"}`;
  // Exports are made where no key is bound.
  if (!keyText(EXPAND)) return theme.fg("muted", `${counted})`);
  return `${theme.fg("muted", `${counted},`)} ${keyHint(EXPAND, "to expand")}${theme.fg("muted", ")")}`;
}

// -- calls without a result -----------------------------------------------------------------------

const STATES: Record<string, string> = {
  succeeded: "succeeded; its result was not recorded",
  failed: "failed",
  incomplete: "did not complete",
};

/** Say in words what the background alone cannot. */
function stateLine(kept: Kept | undefined, theme: any): string {
  const state = rowOf(STATES, kept?.status);
  const reason = oneLine(kept?.reason);
  const said = state && reason ? `${state}: ${reason}` : state || reason || "outcome not recorded";
  return theme.fg(kept?.status === "failed" ? "error" : "muted", `[${said}]`);
}

// -- components -----------------------------------------------------------------------------------

/** Redraw into the component pi keeps for this place, or make one. */
function text(context: any, content: string): Text {
  const component =
    context.lastComponent instanceof Text ? context.lastComponent : new Text("", 0, 0);
  component.setText(content);
  return component;
}

/** What fails costs the looks of one card, never the session. */
function safely<T>(draw: () => T, fallback: () => T): T {
  try {
    return draw();
  } catch {
    return fallback();
  }
}

// -- the tools ------------------------------------------------------------------------------------

/** Answer replayed calls: from the recording, or with an error, never by running anything. */
class Replayer {
  /** Errors on their way: pi drops the details of what is thrown, `restore` brings them back. */
  private readonly thrown = new Map<string, Recorded>();

  constructor(private readonly recording: Recording) {}

  async answer(id: string): Promise<any> {
    const recorded = await this.recording.find(id);
    if (!recorded) throw new Error(`No recorded result for ${id}; nothing was executed`);
    if (!recorded.isError) return { content: recorded.content, details: recorded.details };
    this.thrown.set(id, recorded);
    throw new Error(textOf(recorded.content) || "failed without a message");
  }

  restore(id: string): Recorded | undefined {
    const recorded = this.thrown.get(id);
    this.thrown.delete(id);
    return recorded;
  }
}

function cursorTool(recording: Recording, replayer: Replayer): any {
  return {
    name: CURSOR,
    label: DEFAULT_TITLE,
    description: "Display-only record of Cursor activity. Never call it.",
    defaultActive: false,
    parameters: Type.Object(
      {
        activityTitle: Type.Optional(Type.String()),
        activitySummary: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
    async execute(id: string) {
      if (!isReplay(id)) throw new Error("cursor is display-only; nothing was executed");
      return replayer.answer(id);
    },
    renderCall: (args: any, theme: any, context: any) =>
      safely(
        () => text(context, cursorCall(recording, args, theme, context)),
        () => text(context, theme.fg("toolTitle", theme.bold(DEFAULT_TITLE))),
      ),
    renderResult: (result: any, options: any, theme: any, context: any) =>
      safely(
        () => text(context, cursorResult(recording, result, options, theme, context)),
        () => text(context, theme.fg("toolOutput", `\n${textOf(cleaned(result?.content))}`)),
      ),
  };
}

function cursorCall(recording: Recording, args: any, theme: any, context: any): string {
  const id = context.toolCallId;
  const kept = recording.cards.get(id);
  const recorded = recording.results.get(id);
  const activity = activityOf(args, kept, recorded);
  const head = headOf(activity, theme);
  if (!isUnanswered(recording, context)) return head;
  const quiet = activity.details.collapseDetailsByDefault === true;
  const body = bodyOf(activity, theme, context.showImages);
  return joined(head, folded(body, context.expanded, quiet, theme), stateLine(kept, theme));
}

function cursorResult(
  recording: Recording,
  result: any,
  options: any,
  theme: any,
  context: any,
): string {
  const shown = recordedOf({ ...result, isError: context.isError });
  const activity = activityOf(context.args, recording.cards.get(context.toolCallId), shown);
  const quiet = activity.details.collapseDetailsByDefault === true;
  const body = bodyOf(activity, theme, context.showImages);
  const drawn = folded(body, options.expanded, quiet, theme);
  return drawn && `\n${drawn}`;
}

const joined = (...parts: string[]) => parts.filter((part) => part !== "").join("\n\n");

/** Exports draw every call as if its result were still to come, so the recording decides. */
const isUnanswered = (recording: Recording, context: any) =>
  isReplay(context.toolCallId) && context.isPartial && !recording.results.has(context.toolCallId);

const NATIVE: Record<string, (cwd: string, options?: any) => any> = {
  read: createReadToolDefinition,
  bash: createBashToolDefinition,
  edit: createEditToolDefinition,
  write: createWriteToolDefinition,
  grep: createGrepToolDefinition,
  find: createFindToolDefinition,
  ls: createLsToolDefinition,
};

/** pi's own tool, as pi would have made it from the user's settings. */
function ownTool(name: string, ctx: any): any {
  const projectTrusted = ctx.isProjectTrusted?.() ?? false;
  const settings = SettingsManager.create(ctx.cwd, getAgentDir(), { projectTrusted });
  const options: Record<string, Fields> = {
    read: { autoResizeImages: settings.getImageAutoResize() },
    bash: { commandPrefix: settings.getShellCommandPrefix(), shellPath: settings.getShellPath() },
  };
  return NATIVE[name](ctx.cwd, options[name]);
}

function nativeTool(name: string, recording: Recording, replayer: Replayer): any {
  const own = NATIVE[name](process.cwd());
  return {
    ...own,
    defaultActive: false,
    async execute(id: string, params: any, signal: any, onUpdate: any, ctx: any) {
      if (isReplay(id)) return replayer.answer(id);
      return ownTool(name, ctx).execute(id, params, signal, onUpdate, ctx);
    },
    renderCall(args: any, theme: any, context: any) {
      if (!isReplay(context.toolCallId)) return own.renderCall(args, theme, context);
      return nativeCall(own, recording, cleaned(args), theme, context);
    },
    renderResult(result: any, options: any, theme: any, context: any) {
      if (!isReplay(context.toolCallId)) return own.renderResult(result, options, theme, context);
      return nativeResult(own, recordedOf(result), options, theme, context);
    },
  };
}

type Shape = { [field: string]: string | Shape };

/** The details that pi's own tools draw; of another type they would end its drawing. */
const DRAWN: Shape = {
  diff: "string",
  firstChangedLine: "number",
  fullOutputPath: "string",
  imageUnsupportedByModel: "string",
  linesTruncated: "boolean",
  matchLimitReached: "number",
  resultLimitReached: "number",
  entryLimitReached: "number",
  truncation: {
    truncated: "boolean",
    truncatedBy: "string",
    firstLineExceedsLimit: "boolean",
    outputLines: "number",
    totalLines: "number",
    maxLines: "number",
    maxBytes: "number",
  },
};

function ofShape(value: unknown, shape: Shape): Fields {
  const given = fields(value);
  const part = (name: string, wanted: string | Shape) => {
    if (typeof wanted !== "string") return ofShape(given[name], wanted);
    return typeof given[name] === wanted ? given[name] : undefined;
  };
  return Object.fromEntries(Object.entries(shape).map(([name, type]) => [name, part(name, type)]));
}

/** A result as pi's own tool draws it, from parts that are clean. */
function nativeResult(own: any, shown: Recorded, options: any, theme: any, context: any): any {
  const result = { ...shown, details: ofShape(shown.details, DRAWN) };
  const args = cleaned(context.args);
  return safely(
    () => own.renderResult(result, options, theme, { ...context, args }),
    () => new Text(theme.fg("toolOutput", `\n${textOf(shown.content)}`), 0, 0),
  );
}

/** The component pi drew the call with, where ours stands around it. */
const inner = new WeakMap<object, any>();

function nativeCall(own: any, recording: Recording, args: any, theme: any, context: any): any {
  const lastComponent = inner.get(context.lastComponent) ?? context.lastComponent;
  // An edit whose arguments are complete is compared with the file on disk, which has moved on.
  const argsComplete = own.name !== "edit" && context.argsComplete;
  const call = safely(
    () => own.renderCall(args, theme, { ...context, args, lastComponent, argsComplete }),
    () => new Text(theme.fg("toolTitle", theme.bold(own.name)), 0, 0),
  );
  if (!isUnanswered(recording, context)) return call;
  return safely(
    () => withKept(call, own, recording.cards.get(context.toolCallId), args, theme, context),
    () => call,
  );
}

function withKept(
  call: any,
  own: any,
  kept: Kept | undefined,
  args: any,
  theme: any,
  context: any,
) {
  const parts = [keptBody(own, kept, args, theme, context), stateText(kept, theme)];
  // pi paints the background of an edit itself, so what belongs to the card goes into its box.
  const frame = own.renderShell === "self" ? call : framed(call);
  for (const part of parts) if (part) frame.addChild(part);
  return frame;
}

function framed(call: any): Container {
  const frame = new Container();
  frame.addChild(call);
  inner.set(frame, call);
  return frame;
}

const stateText = (kept: Kept | undefined, theme: any) =>
  new Text(`\n${stateLine(kept, theme)}`, 0, 0);

function keptBody(own: any, kept: Kept | undefined, args: any, theme: any, context: any): any {
  if (!kept) return undefined;
  if (own.name === "edit") return keptDiff(kept, args, context);
  if (!textOf(kept.content).trim()) return undefined;
  const isError = kept.status === "failed";
  const result = { content: blocksOf(kept.content), details: kept.details, isError };
  const options = { expanded: context.expanded, isPartial: false };
  const shown = {
    ...context,
    args,
    isError,
    isPartial: false,
    lastComponent: undefined,
    state: {},
  };
  return nativeResult(own, result, options, theme, shown);
}

function keptDiff(kept: Kept, args: any, context: any): Text | undefined {
  const diff = asText(kept.diff);
  if (!diff.trim()) return undefined;
  const body = diffBody(diff, oneLine(fields(args).path));
  return new Text(`\n${body.draw(Number.POSITIVE_INFINITY).join("\n")}`, 0, 0);
}

// -- entries of our own ---------------------------------------------------------------------------

const LEVELS: Record<string, [colour: string, word: string]> = {
  warning: ["warning", "Warning"],
  error: ["error", "Error"],
};

function noticeText(data: Fields, theme: any): string {
  const [colour, word] = rowOf(LEVELS, data.level) ?? ["muted", "Note"];
  const message = oneLine(data.message) || oneLine(data.code) || "a notice without words";
  const counted = typeof data.count === "number" && data.count > 1 && !/\d/.test(message);
  const count = counted ? ` (${data.count} times)` : "";
  return theme.fg(colour, `${word}: ${message}${count}`);
}

function provenanceText(data: Fields, expanded: boolean, theme: any): string {
  const source = fields(data.source);
  const unknown = Array.isArray(data.unknown) ? data.unknown.map(oneLine).filter(Boolean) : [];
  const from = oneLine(source.format) || "a recording";
  const head = `Replayed by ${[PROVENANCE, oneLine(data.version)].filter(Boolean).join(" ")} from ${from}`;
  if (!expanded)
    return theme.fg("muted", unknown.length ? `${head}; expand to see what it cannot know` : head);
  const known = [source.file, source.sha256 && `sha256 ${source.sha256}`]
    .map(oneLine)
    .filter(Boolean);
  return theme.fg("muted", [head, ...known, ...unknown.map((line) => `- ${line}`)].join("\n"));
}

function registerEntries(pi: any): void {
  const draw = (content: () => string) =>
    new Text(
      safely(content, () => ""),
      1,
      0,
    );
  pi.registerEntryRenderer(NOTICE, (entry: any, _options: any, theme: any) =>
    draw(() => noticeText(fields(cleaned(entry.data)), theme)),
  );
  pi.registerEntryRenderer(PROVENANCE, (entry: any, options: any, theme: any) =>
    draw(() => provenanceText(fields(cleaned(entry.data)), options?.expanded === true, theme)),
  );
}

// -- registration ---------------------------------------------------------------------------------

const isOff = (name: string) =>
  ["0", "false", "off", "no"].includes((process.env[name] ?? "").trim().toLowerCase());

function toolsOf(recording: Recording, replayer: Replayer): Map<string, any> {
  const tools = new Map<string, any>();
  if (isOff("PI_CURSOR_NATIVE_TOOL_DISPLAY")) return tools;
  tools.set(CURSOR, cursorTool(recording, replayer));
  if (isOff("PI_CURSOR_REGISTER_NATIVE_TOOLS")) return tools;
  for (const name of Object.keys(NATIVE)) tools.set(name, nativeTool(name, recording, replayer));
  return tools;
}

const OWN_PATH = realPath(fileURLToPath(import.meta.url));

function realPath(path: unknown): string {
  return safely(
    () => realpathSync(asText(path)),
    () => asText(path),
  );
}

/** The names of tools that extensions own, with where those are. */
function ownersOf(pi: any): Map<string, string> {
  const tools: any[] = pi.getAllTools();
  const extensions = tools.filter(({ sourceInfo }) => sourceInfo?.source !== "builtin");
  return new Map(extensions.map(({ name, sourceInfo }) => [name, realPath(sourceInfo?.path)]));
}

/** The display tools of one session, registered by the first copy of this extension. */
class Registration {
  constructor(
    private readonly pi: any,
    private readonly tools: Map<string, any>,
  ) {
    memory.copies.add(OWN_PATH);
  }

  /**
   * A name owned twice at load time ends pi, so the first session of a process waits for its start.
   * Later ones, which pi draws before they start, are served by the copy that served the last.
   */
  load(): void {
    const names = [...this.tools.keys()];
    this.register(names.filter((name) => memory.registrars.get(name) === OWN_PATH));
  }

  /** Register what no copy has, leave the active tools as they were, return what was taken. */
  begin(): Map<string, string> {
    const active: string[] = this.pi.getActiveTools();
    memory.active ??= active;
    const owners = ownersOf(this.pi);
    const owned = [...owners].filter(([name]) => this.tools.has(name));
    const taken = new Map(owned.filter(([, owner]) => !memory.copies.has(owner)));
    for (const name of taken.keys()) memory.registrars.delete(name);
    this.register([...this.tools.keys()].filter((name) => !owners.has(name)));
    this.keepActive(active);
    return taken;
  }

  private register(names: Iterable<string>): void {
    for (const name of names) {
      this.pi.registerTool(this.tools.get(name));
      memory.registrars.set(name, OWN_PATH);
    }
  }

  /** Where `defaultActive` is unknown, registering has offered our tools to the model. */
  private keepActive(active: string[]): void {
    memory.activates ||= this.pi.getActiveTools().length > active.length;
    if (!memory.activates) return;
    const before = new Set(memory.active);
    this.pi.setActiveTools(active.filter((name) => !this.tools.has(name) || before.has(name)));
  }
}

/** Whether a call would reach this extension, in whichever copy. */
function isAnswered(pi: any, name: string): boolean {
  const owner = ownersOf(pi).get(name);
  return owner !== undefined && memory.copies.has(owner);
}

function report(taken: Map<string, string>, ctx: any): void {
  const fresh = [...taken].filter(([name]) => !memory.told.has(name));
  if (!fresh.length) return;
  for (const [name] of fresh) memory.told.add(name);
  const where = (owner: string) => oneLine(clean(owner)) || "another extension";
  const named = fresh.map(([name, owner]) => `${name} (${where(owner)})`).join(", ");
  const message = `cursor-replay leaves these tools to the extensions that own them: ${named}`;
  if (ctx.hasUI) ctx.ui.notify(message, "warning");
  else console.error(message);
}

function guard(pi: any, event: any): any {
  if (!isReplay(event.toolCallId) || isAnswered(pi, event.toolName)) return undefined;
  const reason = `${event.toolName} does not answer replayed calls here; nothing was executed`;
  return { block: true, reason };
}

function nextEntries(event: any, ctx: any): unknown[] {
  const file = event.reason === "resume" ? event.targetSessionFile : undefined;
  return file ? entriesOf(file) : [...ctx.sessionManager.getEntries()];
}

/** A pi that knows how to draws with our tools also where it was started without them. */
function drawUndeclared(pi: any, tools: Map<string, any>): void {
  const isDeclared = (name: string) => pi.getAllTools().some((tool: any) => tool.name === name);
  pi.registerToolRenderer?.((name: string, next: () => any) => {
    const declared = safely(
      () => isDeclared(name),
      () => true,
    );
    return declared ? next() : (tools.get(name) ?? next());
  });
}

export default function cursorReplay(pi: any): void {
  const recording = new Recording();
  recording.add(memory.entries ?? []);
  const replayer = new Replayer(recording);
  const tools = toolsOf(recording, replayer);
  const registration = new Registration(pi, tools);
  registerEntries(pi);
  drawUndeclared(pi, tools);
  registration.load();
  pi.on("session_start", (_event: any, ctx: any) => {
    memory.entries = undefined;
    recording.refill(ctx.sessionManager.getEntries());
    report(registration.begin(), ctx);
  });
  pi.on("session_shutdown", (event: any, ctx: any) => {
    memory.entries = nextEntries(event, ctx);
    if (event.reason === "reload") memory.active = pi.getActiveTools();
  });
  pi.on("tool_call", (event: any) => guard(pi, event));
  pi.on("tool_result", (event: any) => replayer.restore(event.toolCallId));
}
