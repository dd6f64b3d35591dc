import type { AuditReport } from "../core/index.ts";

/**
 * Writes how the audit log fares, in the text format of Prometheus.
 *
 * @param report Undefined where there is none: then the text is empty.
 */
export function auditMetricsText(report: AuditReport | undefined): string {
  if (report === undefined) return "";
  const { sink, writtenCount, waitingCount, lostCount, outage } = report;
  const families = [
    ["records_total", "counter", "Records of the audit log that were written.", writtenCount],
    ["lost_total", "counter", "Records of the audit log that were lost.", lostCount],
    ["waiting", "gauge", "Records of the audit log that wait.", waitingCount],
    ["up", "gauge", "Whether the audit log can be written.", outage === undefined ? 1 : 0],
  ] as const;
  return families
    .map(([name, type, help, value]) => {
      const family = `agentrt_audit_${name}`;
      return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n${family}{sink="${sink}"} ${value}\n`;
    })
    .join("");
}
