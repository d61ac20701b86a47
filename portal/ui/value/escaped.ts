/** Text in a tooltip comes from people and machines, and ECharts writes it as HTML. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
