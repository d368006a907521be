/** The reserved tool with which an AI hands its answer in where its provider doesn't hold it to a schema itself. */
export const SUBMIT_TOOL = 'submit_result'
