// A model without a network: it calls the tools of SCRIPTED_CALLS once a prompt, then says "done".
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";

const MODEL = {
  id: "one",
  name: "Scripted",
  reasoning: false,
  input: ["text"],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 1_000,
};

function answer(context: any): any[] {
  const last = context.messages[context.messages.length - 1];
  if (last?.role !== "user") return [{ type: "text", text: "done" }];
  const calls = JSON.parse(process.env.SCRIPTED_CALLS ?? "[]");
  return calls.map((call: any) => ({ type: "toolCall", ...call }));
}

function emit(stream: any, message: any, block: any): void {
  const contentIndex = message.content.push(block) - 1;
  const event = (type: string, more: object) =>
    stream.push({ type, contentIndex, partial: message, ...more });
  if (block.type === "text") {
    event("text_start", {});
    event("text_delta", { delta: block.text });
    event("text_end", { content: block.text });
    return;
  }
  event("toolcall_start", { id: block.id, toolName: block.name });
  event("toolcall_delta", { delta: JSON.stringify(block.arguments) });
  event("toolcall_end", { toolCall: block });
}

function streamSimple(model: any, context: any): any {
  const stream = createAssistantMessageEventStream();
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost };
  const { api, provider, id } = model;
  const message = { role: "assistant", content: [], api, provider, model: id, usage, timestamp: 1 };
  const blocks = answer(context);
  const stopReason = blocks.some((block) => block.type === "toolCall") ? "toolUse" : "stop";
  const whole: any = { ...message, stopReason };
  stream.push({ type: "start", partial: whole });
  for (const block of blocks) emit(stream, whole, block);
  stream.push({ type: "done", reason: stopReason, message: whole });
  stream.end();
  return stream;
}

export default function scriptedModel(pi: any): void {
  pi.registerProvider("scripted", {
    name: "Scripted",
    baseUrl: "http://127.0.0.1:9/unused",
    apiKey: "none",
    api: "scripted-api",
    models: [MODEL],
    streamSimple,
  });
  // Ends in a set of active tools that the test chose, whatever other extensions did.
  pi.on("session_start", () => {
    const more = JSON.parse(process.env.SCRIPTED_TOOLS ?? "[]");
    if (more.length) pi.setActiveTools([...pi.getActiveTools(), ...more]);
  });
}
