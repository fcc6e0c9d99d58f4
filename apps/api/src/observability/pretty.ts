import { prettyFactory } from 'pino-pretty'

/**
 * Returns a function that makes a JSON line readable for people: a request is
 * one line, such as `GET /teams 200 1.3 ms`.
 */
export const prettyFormat = (colorize: boolean): ((line: string) => string) =>
  prettyFactory({
    colorize,
    ignore: 'pid,method,route,status,ms,request_id',
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    messageFormat: ({ method, route, status, ms, msg }) =>
      typeof ms === 'number'
        ? `${method} ${route} ${status ?? ''} ${ms.toFixed(1)} ms`
        : String(msg),
  })
