import type { ECharts } from 'echarts/core'

/** Keeps a chart as large as its box, from the size it was made in, and says when it is another; the answer ends it. */
export function followSize(chart: ECharts, box: HTMLElement, onResize?: () => void): () => void {
  const watcher = new ResizeObserver(() => {
    if (box.clientWidth === chart.getWidth() && box.clientHeight === chart.getHeight()) return
    chart.resize()
    onResize?.()
  })
  watcher.observe(box)
  return () => watcher.disconnect()
}
