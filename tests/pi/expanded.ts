// Opens every card before the session is drawn, so that a capture needs no key presses.
export default function expanded(pi: any): void {
  pi.on("session_start", (_event: any, ctx: any) => ctx.ui.setToolsExpanded(true));
}
