// Another extension with a `bash` and a `cursor` tool of its own.
import { Text } from "@earendil-works/pi-tui";
import { Type } from "typebox";

const tool = (name: string) => ({
  name,
  label: name,
  description: `another ${name}`,
  parameters: Type.Object({}, { additionalProperties: true }),
  execute: async () => ({ content: [{ type: "text", text: `the other ${name} ran` }] }),
  renderCall: () => new Text(`the other ${name}`, 0, 0),
  renderResult: () => new Text("", 0, 0),
});

export default function otherOwner(pi: any): void {
  pi.registerTool(tool("bash"));
  pi.registerTool(tool("cursor"));
}
