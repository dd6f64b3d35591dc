%% Crash of a supervised, registered gen_server until its next incarnation answers, a hundred times under each root, so
%% that the list of restarts in the window stays short; prints `done <count> <microseconds>`.
-module(restart_bench).
-behaviour(supervisor).
-export([main/1, init/1]).

init([]) ->
    {ok, {#{strategy => one_for_one, intensity => 100000000, period => 1},
          [#{id => crasher, start => {crash_server, start_link, []}}]}}.

main(Count) ->
    logger:set_primary_config(level, none),
    process_flag(trap_exit, true),
    _ = rounds(Count div 500),
    Elapsed = rounds(Count div 100),
    io:format("done ~p ~p~n", [Count, Elapsed]).

rounds(0) -> 0;
rounds(N) ->
    {ok, Root} = supervisor:start_link({local, root}, ?MODULE, []),
    Start = erlang:monotonic_time(microsecond),
    loop(100),
    Elapsed = erlang:monotonic_time(microsecond) - Start,
    exit(Root, shutdown),
    receive {'EXIT', Root, _} -> ok end,
    Elapsed + rounds(N - 1).

loop(0) -> ok;
loop(N) ->
    Old = whereis(crasher),
    gen_server:cast(crasher, crash),
    answered(Old),
    loop(N - 1).

%% The name is free for a moment: ask until the new incarnation answers.
answered(Old) ->
    case whereis(crasher) of
        undefined -> erlang:yield(), answered(Old);
        Old -> erlang:yield(), answered(Old);
        New -> New = gen_server:call(New, who)
    end.
